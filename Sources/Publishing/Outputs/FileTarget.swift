// SPDX-License-Identifier: MIT

import MediaIO

/// A file that takes a container's bytes; a failed write ends it.
final class FileTarget: ByteTarget {
    private let file: OutputFile

    /// Creates the file; one that exists is emptied by the first byte.
    ///
    /// - Throws: ``PublishingError`` with `.cannotOpen`.
    init(path: String) throws(PublishingError) {
        // The library has its own buffer.
        file = try Self.wrapping { () throws(MediaFileError) in try OutputFile(path: path, bufferSize: 1) }
    }

    var canSeek: Bool { file.isRegular }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PublishingError) {
        try Self.wrapping { () throws(MediaFileError) in try file.write(bytes) }
    }

    func seek(offset: Int64, whence: CInt) throws(PublishingError) -> Int64? {
        try Self.wrapping { () throws(MediaFileError) in try file.seek(offset: offset, whence: whence) }
    }

    func close(isComplete: Bool) throws(PublishingError) {
        try Self.wrapping { () throws(MediaFileError) in try file.closeOrDiscard() }
    }

    private static func wrapping<Value>(
        _ body: () throws(MediaFileError) -> Value
    ) throws(PublishingError) -> Value {
        do throws(MediaFileError) {
            return try body()
        } catch {
            throw PublishingError(error)
        }
    }
}

extension PublishingError {
    /// What happened to a file.
    init(_ error: MediaFileError) {
        let code: Code =
            switch error.code {
            case .cannotOpen: .cannotOpen
            case .readFailed, .truncated, .corrupt: .readFailed
            case .writeFailed: .writeFailed
            case .diskFull: .diskFull
            case .brokenPipe: .brokenPipe
            case .unsupported: .unsupported
            case .invalidValue: .invalidValue
            case .libraryMissing: .libraryMissing
            case .libraryFailure: .libraryFailure
            case .outOfMemory: .outOfMemory
            case .invalidState: .invalidState
            }
        self.init(code, reason: error.reason, output: error.path?.shown, status: error.status)
    }
}
