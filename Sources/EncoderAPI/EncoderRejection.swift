// SPDX-License-Identifier: MIT

/// Why an ``EncoderSelection`` did not take an encoder.
public struct EncoderRejection: Sendable, Hashable {
    /// A stable value to switch on; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It encodes to another codec.
        public static let otherCodec = Code(rawValue: "otherCodec")
        /// ``EncoderSelection/encoderID`` names another.
        public static let otherEncoder = Code(rawValue: "otherEncoder")
        /// ``EncoderSelection/requiredDevice`` names another.
        public static let otherDevice = Code(rawValue: "otherDevice")
        /// It runs on the CPU, where hardware is required, or where hardware refused the settings.
        public static let runsOnCPU = Code(rawValue: "runsOnCPU")
        /// It runs on a device, where hardware is forbidden.
        public static let runsOnDevice = Code(rawValue: "runsOnDevice")
        /// The back end could not list its encoders; the error says why.
        public static let listingFailed = Code(rawValue: "listingFailed")
        /// The back end listed no encoder.
        public static let listsNone = Code(rawValue: "listsNone")
        /// The configuration cannot be with it; the error says why.
        public static let settingsRefused = Code(rawValue: "settingsRefused")
        /// It did not open; the error says why.
        public static let openingFailed = Code(rawValue: "openingFailed")
        /// Another was taken before its turn came.
        public static let notNeeded = Code(rawValue: "notNeeded")
    }

    /// The back end's identifier.
    public let backend: String
    /// Which of its encoders; nil where the back end listed none, or was not asked.
    public let encoder: EncoderID?
    /// Why, for programs.
    public let code: Code
    /// What back end or session said, where the code tells of an error.
    public let error: EncoderError?
}

extension EncoderRejection: CustomStringConvertible {
    /// The encoder, or its back end, and why: "x264.h264: runs on the CPU".
    public var description: String {
        let name = encoder?.rawValue ?? backend
        return "\(name): \(error?.description ?? Self.words[code] ?? code.rawValue)"
    }

    private static let words: [Code: String] = [
        .otherCodec: "encodes to another codec", .otherEncoder: "another encoder was asked for",
        .otherDevice: "another device was asked for", .runsOnCPU: "runs on the CPU", .runsOnDevice: "runs on a device",
        .listsNone: "lists no encoder", .notNeeded: "not needed",
    ]
}
