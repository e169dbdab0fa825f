// SPDX-License-Identifier: MIT

/// Splits a byte stream that arrives in pieces into NAL units; a start code may straddle pieces.
///
/// Bytes before the first start code belong to no unit and are passed over, as are empty units. Pieces are copied.
public struct AnnexBStreamReader: Sendable {
    /// One NAL unit of the stream.
    public struct Unit: Hashable, Sendable {
        /// Where the unit's start code starts, in bytes from the start of the stream; a zero before a three-byte start
        /// code counts as part of it.
        public var startCodeOffset: Int
        /// How many bytes the start code takes, 3 or 4.
        public var startCodeLength: Int
        /// The unit, without start code and trailing zero bytes.
        public var bytes: [UInt8]
    }

    /// How many bytes a unit may take, or zero bytes behind it; a larger one is an error and passed over, so that
    /// memory is bounded.
    public let maximumUnitSize: Int
    private var buffer: [UInt8] = []
    /// Where the buffer's first byte stands in the stream.
    private var bufferOffset = 0
    /// Where the open unit starts in the buffer; nil before the first start code.
    private var unitStart: Int?
    private var startCode = (offset: 0, length: 0)
    /// Where in the buffer the search goes on.
    private var scanned = 0

    /// Makes a reader at the start of a stream; a unit may take 2^28 bytes unless told otherwise.
    public init(maximumUnitSize: Int = 1 << 28) {
        self.maximumUnitSize = maximumUnitSize
    }

    /// Takes the stream's next bytes and hands on every unit that they complete.
    ///
    /// - Parameter chunk: The next bytes, any number of them.
    /// - Returns: The units whose end the bytes show, in order. A unit ends where the next start code begins: the
    ///   stream's last one comes from ``finish()``.
    /// - Throws: ``ParameterSetError`` with `.badLength` when a unit, or the zero bytes behind it, are more than
    ///   ``maximumUnitSize``. All units that `chunk` completes are then lost; the next call goes on with the stream.
    public mutating func append(_ chunk: some ByteView & ~Escapable) throws(ParameterSetError) -> [Unit] {
        chunk.withSpan { StartCodeScanner.append(0..<$0.count, of: $0, to: &buffer) }
        var units: [Unit] = []
        var failure: ParameterSetError?
        while let next = StartCodeScanner.firstStartCode(in: buffer.span, from: scanned) {
            appendUnit(endingAt: next, to: &units)
            failure = failure ?? tooLarge(units.last?.bytes.count ?? 0)
            let length = next > 0 && buffer[next - 1] == 0 ? 4 : 3
            startCode = (bufferOffset + next + 3 - length, length)
            unitStart = next + 3
            scanned = next + 3
        }
        // The last two bytes may begin a start code that the next piece completes.
        scanned = max(scanned, buffer.count - 2)
        if let open = unitStart {
            let zeros = buffer[open...].reversed().prefix { $0 == 0 }.count
            if let error = tooLarge(max(buffer.count - open - zeros, zeros)) {
                failure = failure ?? error
                unitStart = nil
            }
        }
        discardSpentBytes()
        if let failure {
            throw failure
        }
        return units
    }

    private func tooLarge(_ size: Int) -> ParameterSetError? {
        guard size > maximumUnitSize else { return nil }
        return ParameterSetError(
            .badLength, bitOffset: startCode.offset * 8,
            reason: "a NAL unit has \(size) bytes or more, expected at most \(maximumUnitSize)")
    }

    /// Ends the stream and gives its last unit, nil when there is none; the reader is then at the start of a stream.
    public mutating func finish() -> Unit? {
        var units: [Unit] = []
        appendUnit(endingAt: buffer.count, to: &units)
        self = Self(maximumUnitSize: maximumUnitSize)
        return units.first
    }

    private mutating func appendUnit(endingAt next: Int, to units: inout [Unit]) {
        guard let unitStart else { return }
        let bytes = Array(buffer[unitStart..<next].droppingTrailingZeros())
        guard !bytes.isEmpty else { return }
        units.append(Unit(startCodeOffset: startCode.offset, startCodeLength: startCode.length, bytes: bytes))
    }

    private mutating func discardSpentBytes() {
        // Before the first start code three bytes are kept: they may be the zeros of one that is not complete.
        let spent = unitStart ?? max(0, buffer.count - 3)
        guard spent > 0 else { return }
        buffer.removeFirst(spent)
        bufferOffset += spent
        scanned = max(0, scanned - spent)
        unitStart = unitStart.map { $0 - spent }
    }
}
