// SPDX-License-Identifier: MIT

// Start codes, lengths, conversions and emulation prevention agree with each other.

/// Takes one input; libFuzzer calls it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let ranges = AnnexB.nalUnitRanges(in: bytes)
    checkStream(bytes, ranges)
    checkLengths(bytes, ranges)
    let withStopBit = bytes + [0x80]
    precondition(EmulationPrevention.unescape(EmulationPrevention.escape(withStopBit)) == withStopBit)
    return 0
}

private func checkStream(_ bytes: [UInt8], _ ranges: [Range<Int>]) {
    var reader = AnnexBStreamReader()
    var units: [AnnexBStreamReader.Unit] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let piece = rest.prefix(Int(rest.first ?? 0) % 7 + 1)
        rest = rest.dropFirst(piece.count)
        units += (try? reader.append(piece)) ?? []
    }
    units += reader.finish().map { [$0] } ?? []
    precondition(units.map(\.bytes) == ranges.map { Array(bytes[$0]) })
}

private func checkLengths(_ bytes: [UInt8], _ ranges: [Range<Int>]) {
    for size in LengthPrefixed.sizes {
        var inPlace = bytes
        if let converted = try? LengthPrefixed.fromAnnexB(bytes, lengthSize: size) {
            let scan = LengthPrefixed.scan(converted, lengthSize: size)
            precondition(
                scan.error == nil && scan.ranges.map { Array(converted[$0]) } == ranges.map { Array(bytes[$0]) })
            precondition((try? LengthPrefixed.convertFromAnnexB(&inPlace, lengthSize: size)) != nil)
            precondition(inPlace == converted)
            precondition((try? AnnexB.convertFromLengthPrefixed(&inPlace, lengthSize: size)) != nil)
            precondition(inPlace == AnnexB.join(ranges.map { Array(bytes[$0]) }))
        }
        let scan = LengthPrefixed.scan(bytes, lengthSize: size)
        let end = scan.error?.length?.offset ?? bytes.count
        precondition((scan.ranges.last?.upperBound ?? 0) <= end && end <= bytes.count)
    }
}
