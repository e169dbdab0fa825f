// SPDX-License-Identifier: MIT

/// What keeps a step of a comparison from giving what the next one takes.
package struct EncoderBenchError: Error, Hashable, Sendable {
    /// What went wrong, for programs.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable spelling of the code.
        package let rawValue: String

        /// Makes a code from its spelling.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// A plan, or a point of one, breaks the rules of its format or contradicts itself.
        package static let invalidPlan = Self(rawValue: "invalidPlan")
        /// A clip or a file is gone, or another one than was planned or measured.
        package static let inputChanged = Self(rawValue: "inputChanged")
        /// Pictures are missing, or are more than those they are compared with.
        package static let picturesMissing = Self(rawValue: "picturesMissing")
        /// Pictures, curves or results that cannot be held against each other.
        package static let notComparable = Self(rawValue: "notComparable")
        /// A program cannot be started, or did not end well.
        package static let programFailed = Self(rawValue: "programFailed")
        /// The system refused a file or folder.
        package static let systemFailure = Self(rawValue: "systemFailure")
        /// Somebody ended the step early.
        package static let interrupted = Self(rawValue: "interrupted")
    }

    /// What went wrong, for programs; one of ``Code``'s constants.
    package let code: Code
    /// What went wrong, for people, with the value and what would have been legal.
    package let reason: String

    package init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension EncoderBenchError: CustomStringConvertible {
    /// The reason.
    package var description: String { reason }
}
