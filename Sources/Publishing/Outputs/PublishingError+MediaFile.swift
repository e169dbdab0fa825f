// SPDX-License-Identifier: MIT

import MediaIO

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
