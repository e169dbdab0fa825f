// SPDX-License-Identifier: MIT

import LibAV
import MediaIO

extension MediaFileError {
    /// What a library of FFmpeg refused, with the file it was about.
    init(_ error: LibAVError, path: String? = nil, byteOffset: Int64? = nil) {
        let code: Code =
            switch error.code {
            case .libraryMissing: .libraryMissing
            case .unsupported: .unsupported
            case .invalidValue: .invalidValue
            case .corrupt: .corrupt
            case .outOfMemory: .outOfMemory
            case .failure: .libraryFailure
            }
        self.init(code, reason: error.reason, path: path, byteOffset: byteOffset, status: error.status)
    }

    /// Calls the libraries, whose errors become this module's.
    static func wrapping<Value: ~Copyable>(
        path: String? = nil, _ body: () throws(LibAVError) -> Value
    ) throws(MediaFileError) -> Value {
        do throws(LibAVError) {
            return try body()
        } catch {
            throw MediaFileError(error, path: path)
        }
    }
}
