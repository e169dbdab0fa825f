// SPDX-License-Identifier: MIT

/// Tells the header of a container from what follows, while its bytes pass: a pure value.
///
/// Of fragmented MP4 and MOV the header is all before the first `moof`, which comes with the first fragment; of others
/// what is written before the first packet.
struct HeaderSplitter {
    private let isFragmented: Bool
    /// The bytes of the header so far.
    private(set) var header: [UInt8] = []
    /// Whether the header is whole.
    private(set) var isWhole = false
    /// Bytes of the box that is being passed.
    private var boxRest: UInt64 = 0
    private var boxHead: [UInt8] = []

    init(isFragmented: Bool) { self.isFragmented = isFragmented }

    /// Looks at bytes that pass; once the header is whole, none of them belongs to it.
    mutating func pass(_ bytes: UnsafeRawBufferPointer) {
        guard !isWhole else { return }
        guard isFragmented else {
            header += bytes
            return
        }
        var place = 0
        while place < bytes.count, !isWhole {
            if boxRest > 0 {
                let count = Int(min(boxRest, UInt64(bytes.count - place)))
                header += bytes[place..<place + count]
                boxRest -= UInt64(count)
                place += count
            } else {
                boxHead.append(bytes[place])
                place += 1
                beginBox()
            }
        }
    }

    /// Takes notice that the first packet follows.
    mutating func packetFollows() {
        if !isFragmented { isWhole = true }
    }

    /// Reads a box's size and type (ISO/IEC 14496-12, 4.2) once both are there.
    private mutating func beginBox() {
        guard boxHead.count >= 8 else { return }
        let size = boxHead[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard boxHead[4..<8].elementsEqual("moof".utf8) == false else {
            isWhole = true
            return
        }
        guard size != 1 || boxHead.count == 16 else { return }
        let whole = size == 1 ? boxHead[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : size
        header += boxHead
        boxRest = whole > UInt64(boxHead.count) ? whole - UInt64(boxHead.count) : 0
        boxHead = []
    }
}
