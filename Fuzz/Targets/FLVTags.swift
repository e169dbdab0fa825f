// SPDX-License-Identifier: MIT

import BitSyntax

/// A file of FLV is taken apart without a gap, and headers that read are written as the same bits.
func checkFLVTags(_ bytes: [UInt8]) {
    var position = 0
    var reader = FLVTagReader<Never> { target in
        let count = min(target.count, bytes.count - position)
        target.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
    var end = 0
    while let piece = reader.next() {
        require(piece.position == end && piece.size <= piece.statedSize, "a gap before a piece at \(piece.position)")
        require(piece.bytes.elementsEqual(bytes[end...].prefix(piece.bytes.count)), "other bytes")
        end += piece.size
        guard case .tag = piece.kind, let tag = checkHeader(FLVTagHeader(), piece.bytes[...]) else { continue }
        let rest = piece.bytes.dropFirst(FLVTagHeader.byteCount)
        if tag.kind == .video { checkVideo(rest) }
        if tag.kind == .audio { _ = checkHeader(FLVAudioTagHeader(), rest)?.codecName }
    }
    require(end <= bytes.count, "more than there is")
    // Bytes without a file around them reach the headers sooner.
    checkVideo(bytes[...])
    _ = checkHeader(FLVAudioTagHeader(), bytes[...])?.codecName
    _ = checkHeader(FLVHeader(), bytes[...])
    _ = FLVVideoTagHeader.first(in: bytes)
}

private func checkVideo(_ bytes: ArraySlice<UInt8>) {
    guard let header = checkHeader(FLVVideoTagHeader(), bytes) else { return }
    _ = (header.codecName, header.frameName, header.packetType)
}

/// Reads a header, and writes it as it was; nil for bytes that are none.
func checkHeader<Header: SyntaxStructure>(
    _ initial: Header, _ bytes: ArraySlice<UInt8>
) -> Header? where Header.Context == Void {
    var header = initial
    var reader = SyntaxReader(Array(bytes))
    guard (try? header.code(with: &reader, in: ())) != nil else { return nil }
    var copy = header
    var writer = SyntaxWriter()
    guard (try? copy.code(with: &writer, in: ())) != nil else { fatalError("cannot be written: \(header)") }
    require(copy == header, "writing changes \(header)")
    let count = reader.bitPosition / 8
    require(writer.bytes.prefix(count).elementsEqual(bytes.prefix(count)), "\(header) is written as \(writer.bytes)")
    return header
}
