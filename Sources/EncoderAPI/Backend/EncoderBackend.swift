// SPDX-License-Identifier: MIT

public import Logging

/// A kind of encoder that sessions can be made with: x264, x265, VA-API, or one of your own.
///
/// See <doc:ImplementingABackend>. A back end knows this module; this module knows no back end.
public protocol EncoderBackend: Sendable {
    /// A short stable name, such as "x264".
    var identifier: String { get }

    /// What the back end can do, one value per codec (and device, where there are several).
    ///
    /// - Throws: ``EncoderError`` that says what is missing and how to get it, when nothing can be done on this machine.
    func capabilities() throws(EncoderError) -> [EncoderCapabilities]

    /// Opens an encoder. Called on the session's thread, where the encoder stays.
    ///
    /// - Parameters:
    ///   - settings: Checked against ``capabilities()`` and complete; every value must be honoured, refused with an
    ///     error, or listed in ``FrameEncoder/adjustments``.
    ///   - logger: Where the library's messages go.
    /// - Returns: An encoder that nobody else holds.
    /// - Throws: ``EncoderError`` when the library or device refuses.
    func makeEncoder(_ settings: ResolvedSettings, logger: Logger) throws(EncoderError) -> any FrameEncoder

    /// Refuses settings that no encoder could be opened with, as far as that shows without opening one.
    ///
    /// A session asks when it is made, on the caller's thread, with a frame rate and timescale that are assumed where
    /// nothing tells them yet; and on its own thread before ``CompressionSession/update(_:)`` changes anything and before
    /// it follows another frame rate. Unless a back end says otherwise, all are taken.
    ///
    /// - Parameter settings: As for ``makeEncoder(_:logger:)``.
    /// - Throws: ``EncoderError`` as ``makeEncoder(_:logger:)`` would.
    func check(_ settings: ResolvedSettings) throws(EncoderError)
}

extension EncoderBackend {
    /// Takes all settings.
    public func check(_ settings: ResolvedSettings) throws(EncoderError) {}
}

/// An open encoder.
///
/// Used from one thread at a time, the session's; closed by its `deinit`.
public protocol FrameEncoder: AnyObject {
    /// Pictures by which decode order may lag behind display order; 0 without B pictures.
    var reorderDepth: Int { get }

    /// Most pictures the encoder holds before the first comes out, without draining.
    var maximumDelay: Int { get }

    /// What the open encoder does differently from its settings.
    var adjustments: [Adjustment] { get }

    /// VPS (HEVC), SPS and PPS NAL units that the stream will start with, as ``CodedPicture/nalUnits`` will have them: header
    /// and emulation prevention included, no start code or length.
    ///
    /// Known as soon as the encoder is open; nil where the library tells them with the first picture only. A session asks
    /// before the first picture, to say whether a restart changes the format.
    var parameterSets: [[UInt8]]? { get throws(EncoderError) }

    /// Encodes one picture and gives what is ready to `emit`, in decode order.
    ///
    /// - Parameters:
    ///   - picture: Valid until the call returns; the encoder retains its pixel buffer if it needs the samples longer.
    ///   - emit: Takes each output; what it is given is copied before it returns. It throws when the session was ended
    ///     meanwhile, or cannot use the output.
    /// - Throws: ``EncoderError`` when the encoder cannot go on, and whatever `emit` throws, at once. The session ends then,
    ///   and only `deinit` follows.
    func encode(
        _ picture: SourcePicture, emit: (borrowing EncoderOutput) throws(EncoderError) -> Void
    ) throws(EncoderError)

    /// Gives everything still inside to `emit`. Only `deinit` follows.
    ///
    /// - Parameter emit: As for ``encode(_:emit:)``.
    /// - Throws: As ``encode(_:emit:)``.
    func drain(emit: (borrowing EncoderOutput) throws(EncoderError) -> Void) throws(EncoderError)

    /// Goes on with other live parameters from the next picture on.
    ///
    /// The session forces key frames where an interval grew shorter; see ``LiveParameters/leavingIntervals(of:)``.
    ///
    /// - Parameter live: All of them, those that did not change too.
    /// - Returns: False when the encoder cannot change these while it runs: the session then drains it and opens another.
    /// - Throws: ``EncoderError`` when the encoder cannot go on; the session ends then. What no encoder could be opened with
    ///   was refused before by ``EncoderBackend/check(_:)``.
    func update(_ live: LiveParameters) throws(EncoderError) -> Bool
}

extension FrameEncoder {
    /// Not known before the first picture.
    public var parameterSets: [[UInt8]]? { nil }
}

/// One picture on its way into an encoder.
public struct SourcePicture: Sendable {
    /// Comes back with the output; grows by one from picture to picture.
    public let id: Int
    /// Coded size, in a format of ``EncoderCapabilities/directPixelFormats``; samples lie at addresses that their size
    /// divides, and each row, the last one too, can be read up to the next multiple of 64 bytes.
    public let pixelBuffer: PixelBuffer
    /// Presentation time in ticks of ``EncodingPlan/timescale``, strictly increasing; 0 is the session's first frame, so
    /// an encoder that is opened later starts above 0.
    public let ticks: Int64
    /// Whether the picture must be a true IDR.
    public let forceKeyFrame: Bool

    /// Puts a source picture together.
    public init(id: Int, pixelBuffer: PixelBuffer, ticks: Int64, forceKeyFrame: Bool) {
        self.id = id
        self.pixelBuffer = pixelBuffer
        self.ticks = ticks
        self.forceKeyFrame = forceKeyFrame
    }
}

/// What an encoder made of one source picture.
public enum EncoderOutput {
    /// A coded picture.
    case coded(CodedPicture)
    /// The picture with this id is not in the stream, and what comes after it decodes without it.
    ///
    /// With `.rateControl` the session only sees to it that a forced key frame is made up for; with `.failed` it goes on
    /// with a key frame.
    case dropped(id: Int, reason: EncodedFrame.DropReason)
}

/// A coded picture in memory of the encoder's.
public struct CodedPicture {
    /// The ``SourcePicture/id`` it was made from.
    public var id: Int
    /// How the picture is predicted.
    public var pictureType: AccessUnit.PictureType
    /// Whether other pictures are predicted from this one.
    public var isReference: Bool
    /// Whether decoding can start here although the picture is no IDR (H.264 recovery point; a CRA says so itself).
    public var isRecoveryPoint: Bool
    /// Mean quantizer, in the codec's scale; nil when unknown.
    public var averageQP: Double?
    /// All NAL units in stream order, parameter sets and SEI included, without start codes or lengths.
    ///
    /// Valid while `emit` runs.
    public var nalUnits: [UnsafeRawBufferPointer]

    /// Puts a coded picture together.
    public init(
        id: Int, pictureType: AccessUnit.PictureType, isReference: Bool, isRecoveryPoint: Bool = false,
        averageQP: Double? = nil, nalUnits: [UnsafeRawBufferPointer]
    ) {
        self.id = id
        self.pictureType = pictureType
        self.isReference = isReference
        self.isRecoveryPoint = isRecoveryPoint
        self.averageQP = averageQP
        self.nalUnits = nalUnits
    }
}
