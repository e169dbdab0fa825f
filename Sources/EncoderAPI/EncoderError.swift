// SPDX-License-Identifier: MIT

/// Why a session, an encoder or a picture was refused or failed.
///
/// Switch on ``code``; show ``reason`` to a person: it names the offending value and what would have been legal.
public struct EncoderError: Error, Sendable, Hashable {
    /// A stable value to switch on; new codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name, as printed.
        public let rawValue: String

        /// Makes a code; back ends outside this package may add their own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A setting or argument is outside its legal range.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// Two settings exclude each other.
        public static let conflictingSettings = Code(rawValue: "conflictingSettings")
        /// The encoder, or this build of its library, cannot do what was asked.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The encoder cannot take pictures of this format, or a DMA-BUF that must be mapped is not linear.
        public static let unsupportedPixelFormat = Code(rawValue: "unsupportedPixelFormat")
        /// A picture does not have the size, format, strides or samples it must have, or its memory cannot be mapped.
        public static let invalidPixelBuffer = Code(rawValue: "invalidPixelBuffer")
        /// A presentation time is not larger than the one before it; the frame was not consumed.
        public static let outOfOrderTimestamp = Code(rawValue: "outOfOrderTimestamp")
        /// No encoder was found: the library or device is missing, the back end has none for the codec, or none in a
        /// selection can serve the configuration.
        public static let noEncoder = Code(rawValue: "noEncoder")
        /// The call does not fit the session's state, for example after ``CompressionSession/finish(until:)``.
        public static let invalidState = Code(rawValue: "invalidState")
        /// ``CompressionSession/invalidate()`` ended the session, or it was released.
        public static let invalidated = Code(rawValue: "invalidated")
        /// The calling task was cancelled; a frame given with the call was not consumed.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The reader of the encoded frames went away, so that nobody can take what is encoded.
        public static let readerReleased = Code(rawValue: "readerReleased")
        /// A NAL unit does not fit the length field that the framing asks for.
        public static let nalUnitTooLarge = Code(rawValue: "nalUnitTooLarge")
        /// Memory for a picture could not be had.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// Nothing came out of a device for as long as its encoder says that the next picture may take.
        public static let timedOut = Code(rawValue: "timedOut")
        /// A device failed again and again, and neither its encoder nor a new connection to it works any more.
        public static let deviceLost = Code(rawValue: "deviceLost")
        /// The library or device behind the encoder reported a failure.
        public static let backendFailure = Code(rawValue: "backendFailure")
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong, for people: the value and the legal range.
    public let reason: String
    /// The setting the error is about, where it is about one.
    public let setting: Setting?
    /// The status the library returned, where there was one.
    public let status: Int?
    /// Whether the session is over, so that every later call throws this error.
    ///
    /// Where it is false only the call, or the frame, failed.
    public let endsSession: Bool
    /// Why an ``EncoderSelection`` took none of its encoders; empty in any other error.
    public let rejections: [EncoderRejection]

    /// Makes an error.
    public init(
        _ code: Code, reason: String, setting: Setting? = nil, status: Int? = nil, endsSession: Bool = false,
        rejections: [EncoderRejection] = []
    ) {
        self.code = code
        self.reason = reason
        self.setting = setting
        self.status = status
        self.endsSession = endsSession
        self.rejections = rejections
    }

    /// This error as what a session ended with.
    var endingSession: EncoderError { endingSession(true) }

    /// This error as one of a call or frame alone, whatever a back end says that knows no session.
    var leavingSession: EncoderError { endingSession(false) }

    private func endingSession(_ endsSession: Bool) -> EncoderError {
        EncoderError(
            code, reason: reason, setting: setting, status: status, endsSession: endsSession, rejections: rejections)
    }
}

extension EncoderError: CustomStringConvertible {
    /// The reason, with the library's status where there is one.
    public var description: String {
        status.map { "\(reason) (status \($0))" } ?? reason
    }
}
