// SPDX-License-Identifier: MIT

/// How the program ends.
enum PublishOutcome: Equatable, Sendable {
    /// Everything that was given reached every output, but for what live outputs left out.
    case complete
    /// A signal ended it; files are complete all the same.
    case interrupted(status: Int32)
    /// Some outputs failed, others are complete.
    case someFailed
    /// All outputs failed, or input or encoder did.
    case failed

    /// The status of the process, as the program's help has it.
    var status: Int32 {
        switch self {
        case .complete: 0
        case .failed: 1
        case .someFailed: 3
        case .interrupted(let status): status
        }
    }

    /// Decides by what happened.
    ///
    /// - Parameters:
    ///   - failed: Outputs that failed.
    ///   - count: All outputs.
    ///   - hasInputFailed: Whether reading or encoding did.
    ///   - signalStatus: The status of a signal that came; nil for none.
    init(failed: Int, of count: Int, hasInputFailed: Bool, signalStatus: Int32?) {
        if hasInputFailed || failed == count {
            self = .failed
        } else if failed > 0 {
            self = .someFailed
        } else if let signalStatus {
            self = .interrupted(status: signalStatus)
        } else {
            self = .complete
        }
    }
}
