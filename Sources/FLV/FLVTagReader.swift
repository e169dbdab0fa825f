// SPDX-License-Identifier: MIT

import BitSyntax

/// A piece of an FLV file as it stands there, perhaps cut off by the end of the file.
package struct FLVPiece: Sendable {
    /// What a piece is.
    package enum Kind: Sendable {
        /// The header, up to its `DataOffset`.
        case header
        /// `PreviousTagSize`, and what it has to be.
        case previousTagSize(expected: Int)
        /// A tag.
        case tag
    }

    /// What it is.
    package var kind: Kind
    /// Where it starts, in bytes from the start of the file.
    package var position: Int
    /// Its bytes; of a header those that have a meaning.
    package var bytes: [UInt8]
    /// How many bytes of it the file has.
    package var size: Int
    /// How many bytes it says it has, of a tag those of its header included.
    package var statedSize: Int

    /// Whether the file ends inside the piece.
    package var isCutOff: Bool { size < statedSize }
}

/// Takes an FLV file apart into header, tags and the sizes between them, piece by piece.
///
/// A tag's size comes from the tag; the sizes between are handed on and decide nothing.
package struct FLVTagReader<Failure: Error> {
    /// Fills a piece of memory; fewer bytes than it holds only at the end of the file.
    package typealias Read = (UnsafeMutableRawBufferPointer) throws(Failure) -> Int

    private let readBytes: Read
    private var position = 0
    private var expected = Expected.header

    private enum Expected {
        case header
        case previousTagSize(Int)
        case tag
        case nothing
    }

    /// Reads a file from its start.
    ///
    /// - Parameter read: Reads the file, which nothing has been read of.
    package init(read: @escaping Read) { readBytes = read }

    /// The next piece.
    ///
    /// - Returns: Nil at the end of the file, and after a piece that is cut off or has no legal size.
    /// - Throws: What reading the file throws.
    package mutating func next() throws(Failure) -> FLVPiece? {
        switch expected {
        case .header: return try header()
        case .previousTagSize(let size): return try previousTagSize(size)
        case .tag: return try tag()
        case .nothing: return nil
        }
    }

    private mutating func header() throws(Failure) -> FLVPiece? {
        var piece = try piece(.header, FLVHeader.byteCount)
        let offset = piece.bytes.dropFirst(5).reduce(0) { $0 << 8 | Int($1) }
        guard !piece.isCutOff, offset >= piece.size else {
            expected = .nothing
            return piece
        }
        piece.statedSize = offset
        try extend(&piece, keepsBytes: false)
        expected = piece.isCutOff ? .nothing : .previousTagSize(0)
        return piece
    }

    private mutating func previousTagSize(_ size: Int) throws(Failure) -> FLVPiece? {
        let piece = try piece(.previousTagSize(expected: size), 4)
        expected = piece.isCutOff ? .nothing : .tag
        return piece
    }

    private mutating func tag() throws(Failure) -> FLVPiece? {
        var piece = try piece(.tag, FLVTagHeader.byteCount)
        guard piece.size > 0 else { return nil }
        if !piece.isCutOff {
            piece.statedSize += piece.bytes[1...3].reduce(0) { $0 << 8 | Int($1) }
            try extend(&piece)
        }
        expected = piece.isCutOff ? .nothing : .previousTagSize(piece.statedSize)
        return piece
    }

    private mutating func piece(_ kind: FLVPiece.Kind, _ size: Int) throws(Failure) -> FLVPiece {
        var piece = FLVPiece(kind: kind, position: position, bytes: [], size: 0, statedSize: size)
        try extend(&piece)
        return piece
    }

    /// Reads up to the stated size, in steps: the file need not have what is stated.
    private mutating func extend(_ piece: inout FLVPiece, keepsBytes: Bool = true) throws(Failure) {
        while piece.isCutOff {
            let wanted = min(piece.statedSize - piece.size, Self.stepSize)
            let bytes = try read(wanted)
            if keepsBytes { piece.bytes += bytes }
            piece.size += bytes.count
            position += bytes.count
            if bytes.count < wanted { return }
        }
    }

    /// The next bytes; fewer only at the end of the file.
    private func read(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(Failure) in try readBytes(buffer) }
        }
        bytes.removeLast(count - (try result.get()))
        return bytes
    }

    private static var stepSize: Int { 1 << 20 }
}
