// SPDX-License-Identifier: MIT

public import Logging

/// A kind of encoder that sessions can be made with: x264, x265, OpenH264, or one of your own.
///
/// See <doc:ImplementingABackend>. A back end knows this module; this module knows no back end.
public protocol EncoderBackend: Sendable {
    /// A short stable name, such as "x264".
    var identifier: String { get }

    /// The encoders found on this machine, best first: one value for each codec, device and entry point.
    ///
    /// May block, on a device that takes its time: ``encoders`` and ``EncoderSelection`` call it on a thread of its
    /// own, and only that of an ``ImmediateBackend`` is called on a task's. Several threads may call it at once.
    ///
    /// - Returns: The same encoders, with the same identities, each time.
    /// - Throws: ``EncoderError`` that says what is missing and how to get it, when nothing can be done on this
    ///   machine.
    func listEncoders() throws(EncoderError) -> [EncoderDescription]

    /// Opens an encoder. Called on the session's thread, where the encoder stays.
    ///
    /// - Parameters:
    ///   - encoder: Which, as ``listEncoders()`` gave it.
    ///   - settings: Checked against the encoder's capabilities and complete; every value must be honoured, refused
    ///     with an error, or listed in ``FrameEncoder/adjustments``.
    ///   - logger: Where the library's messages go.
    /// - Returns: An encoder that nobody else holds.
    /// - Throws: ``EncoderError`` when the library or device refuses.
    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder

    /// Refuses settings that the encoder could not be opened with, as far as that shows in milliseconds.
    ///
    /// A session asks when it is made, on the caller's thread, with a frame rate and timescale that are assumed where
    /// nothing tells them yet; before ``CompressionSession/update(_:)`` changes anything, on the caller's thread and
    /// again on its own; and on its own thread before
    /// ``CompressionSession/changePictures(width:height:pixelFormat:color:)`` changes anything and before it follows
    /// another frame rate. The caller's thread may be one that must not wait, such as a capture callback's, and a call
    /// that throws for what cannot be has no other time to learn it: so this must be quick, and ask no device. What
    /// only a device tells is refused by ``makeEncoder(_:settings:logger:)``, or known since ``listEncoders()``. One
    /// that opens with all settings its capabilities allow does nothing in here.
    ///
    /// Some settings come to ``makeEncoder(_:settings:logger:)`` unasked, which therefore checks them as well: what the
    /// first frame tells (frame rate, timescale, the level that a bit-rate ceiling pins), later a finer timescale, and
    /// after a flush the frame rate measured.
    ///
    /// - Parameters:
    ///   - settings: As for ``makeEncoder(_:settings:logger:)``.
    ///   - encoder: As for ``makeEncoder(_:settings:logger:)``.
    /// - Throws: ``EncoderError`` as ``makeEncoder(_:settings:logger:)`` would.
    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError)
}

/// A back end that knows its encoders without asking a device: ``EncoderBackend/listEncoders()`` never blocks.
///
/// Sessions are made with one at once, on any thread; see ``CompressionSession/init(_:encoder:transfer:logger:)``.
public protocol ImmediateBackend: EncoderBackend {}

extension EncoderBackend {
    /// The encoders found on this machine, best first; listed on a thread of their own, while the caller's task waits.
    ///
    /// Throws ``EncoderError`` as ``listEncoders()`` does, and `.cancelled` when the waiting task is cancelled.
    public var encoders: [EncoderDescription] {
        get async throws(EncoderError) {
            try await SessionThread.run { _ throws(EncoderError) in try listEncoders() }
        }
    }

    /// ``encoders`` for callers that cannot suspend: listed on a thread of their own, while the caller's sleeps.
    ///
    /// Throws ``EncoderError`` as ``listEncoders()`` does.
    package var encodersBlocking: [EncoderDescription] {
        get throws(EncoderError) { try SessionThread.runBlocking { _ throws(EncoderError) in try listEncoders() } }
    }

    /// The first of ``encoders`` with a codec.
    ///
    /// - Throws: ``EncoderError`` as ``encoders``, and with `.noEncoder` where there is none.
    public func encoder(for codec: VideoCodec) async throws(EncoderError) -> EncoderDescription {
        try first(of: await encoders, for: codec)
    }

    func first(of encoders: [EncoderDescription], for codec: VideoCodec) throws(EncoderError) -> EncoderDescription {
        if let encoder = encoders.first(where: { $0.codec == codec }) { return encoder }
        throw EncoderError(.noEncoder, reason: "\(identifier) does not encode \(codec)")
    }
}

/// One picture on its way into an encoder.
public struct SourcePicture: Sendable {
    /// Comes back with the output; grows by one from picture to picture.
    public let id: Int
    /// Coded size, in a format of ``EncoderCapabilities/directPixelFormats``, and in memory unless the encoder
    /// ``FrameEncoder/reads(_:)`` it: samples lie at addresses that their size divides, and each row, the last one too,
    /// can be read up to the next multiple of 64 bytes.
    public let pixelBuffer: PixelBuffer
    /// Presentation time in ticks of ``EncodingPlan/timescale``, strictly increasing; 0 is the session's first frame,
    /// so an encoder that is opened later starts above 0.
    public let ticks: Int64
    /// What goes with the frame, as the caller gave it, but that ``FrameOptions/forceKeyFrame`` is the session's: true
    /// where the caller asked for a true IDR picture, and where the session needs one.
    ///
    /// The session may need one of any encoder, also of one that does not list ``Setting/forceKeyFrame``: after a lost
    /// picture, for a key-frame interval, or after a flush that goes on with a key frame.
    public internal(set) var options: FrameOptions
    /// The quantizer that the picture gets, on the scale of ``EncoderCapabilities/quantizers``, or a larger one; nil,
    /// where the encoder chooses, unless ``EncoderCapabilities/takesQuantizers``.
    ///
    /// The session chooses it where a data-rate limit has little left. The largest quantizer asks for the fewest bytes
    /// that the encoder can make of the picture.
    public internal(set) var quantizer: Int?

    /// Puts a source picture together.
    public init(
        id: Int, pixelBuffer: PixelBuffer, ticks: Int64, options: FrameOptions = FrameOptions(), quantizer: Int? = nil
    ) {
        self.quantizer = quantizer
        self.id = id
        self.pixelBuffer = pixelBuffer
        self.ticks = ticks
        self.options = options
    }
}

/// What an encoder made of one source picture.
@nonexhaustive
public enum EncoderOutput {
    /// Takes an output, and copies what it keeps of it before it returns.
    public typealias Handler = (borrowing EncoderOutput) throws(EncoderError) -> Void

    /// A coded picture.
    case coded(CodedPicture)
    /// The picture with this id is not in the stream, and what comes after it decodes without it.
    ///
    /// With `.rateControl` the session only sees to it that a forced key frame is made up for; with `.failed` it goes
    /// on with a key frame.
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
