// SPDX-License-Identifier: MIT

/// An open encoder.
///
/// Used from one thread at a time, the session's; closed by its `deinit`, which waits for no picture. One whose
/// pictures come out of ``encode(_:emit:)``, each with its own call, has ``update(_:)`` besides and nothing else to
/// implement.
public protocol FrameEncoder: AnyObject {
    /// Pictures by which decode order may lag behind display order, the same as long as the encoder is open; 0 without
    /// B pictures, which is the default.
    var reorderDepth: Int { get }

    /// Most pictures that the encoder holds and that come out only with another picture or with ``flush(emit:)``: for
    /// lookahead and reordering; 0 by default.
    ///
    /// A session lists one that is larger than ``SessionConfiguration/maxFrameDelayCount`` in its adjustments.
    var maximumDelay: Int { get }

    /// Most pictures that may be in flight: with so many, the session takes one out before it gives another in. 1 by
    /// default.
    var depth: Int { get }

    /// How long the session waits for the next picture in flight before it ends with `.timedOut`; a year at
    /// most, 10 seconds by default.
    var patience: Duration { get }

    /// What the open encoder does differently from its settings; nothing by default.
    var adjustments: [Adjustment] { get }

    /// VPS (HEVC), SPS and PPS NAL units that the stream will start with, as ``CodedPicture/nalUnits`` will have them:
    /// header and emulation prevention included, no start code or length.
    ///
    /// Known as soon as the encoder is open; nil, the default, where the library tells them with the first picture
    /// only. A session may ask at any time until the encoder takes no more pictures, to say whether the format changes:
    /// after an update that takes effect with a key frame, they are those of that key frame.
    var parameterSets: [[UInt8]]? { get throws(EncoderError) }

    /// Pictures where this encoder reads them without a copy, for whoever fills pictures of the session's: of the
    /// session's format and size. nil, the default, where any memory will do.
    ///
    /// Asked once, when the encoder is open. The pool must work after the encoder's end: programs may hold it, and a
    /// session keeps it until another encoder has a pool, or pictures of another size, format or color are given. Its
    /// pictures get the session's color.
    var pixelBufferPool: PixelBufferPool? { get throws(EncoderError) }

    /// Whether the encoder reads a picture that is not in memory where it is; false by default.
    ///
    /// Asked for pictures of its own format and size in a ``EncoderCapabilities/directPictureKinds`` only. A surface
    /// may be another encoder's: one that this encoder does not know by its type is not read.
    ///
    /// - Parameter picture: A DMA-BUF or surface.
    /// - Returns: Whether ``encode(_:emit:)`` will take it; the session maps it into memory otherwise.
    func reads(_ picture: PixelBuffer) -> Bool

    /// Takes one picture, and gives what is ready to `emit`, in decode order.
    ///
    /// A library may encode in here. One with a device hands the picture over and does not wait until it is encoded:
    /// the picture is ``inFlight`` then.
    ///
    /// - Parameters:
    ///   - picture: Valid until the call returns; the encoder retains its pixel buffer if it needs the samples longer.
    ///   - emit: Takes each output; what it is given is copied before it returns. It throws when the session was ended
    ///     meanwhile, or cannot use the output.
    /// - Throws: ``EncoderError`` when the encoder cannot go on, and whatever `emit` throws, at once. The session ends
    ///   then, and only `deinit` follows.
    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError)

    /// Pictures that will come out of ``collect(until:emit:)`` without another picture; 0, the default, for a library
    /// that works inside ``encode(_:emit:)``.
    var inFlight: Int { get }

    /// Waits for the next picture in flight, and gives all that are ready to `emit`, in decode order.
    ///
    /// Called while ``inFlight`` is more than 0. Does nothing by default.
    ///
    /// - Parameters:
    ///   - deadline: The call returns by then, with a picture or without; one that has passed asks for what is ready.
    ///   - emit: As for ``encode(_:emit:)``.
    /// - Throws: As ``encode(_:emit:)``.
    func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError)

    /// Lets go of everything that waits for another picture: gives it to `emit`, or puts it in flight.
    ///
    /// Waits for no device: the session collects what is in flight afterwards. By default nothing is held, and the
    /// encoder goes on.
    ///
    /// - Parameter emit: As for ``encode(_:emit:)``.
    /// - Returns: Whether the encoder takes more pictures.
    /// - Throws: As ``encode(_:emit:)``.
    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome

    /// Goes on with other live parameters, where it can.
    ///
    /// The session forces key frames where an interval grew shorter. An encoder that compares by
    /// ``LiveParameters/leavingIntervals(of:)`` goes on then; one that declines gives way to another.
    ///
    /// - Parameter live: All of them, those that did not change too.
    /// - Returns: When they take effect. Where that takes a key frame the session forces one, unless only the frame
    ///   rate changed and can wait for the next. Where it takes another encoder, nothing may have changed in this one:
    ///   the session may flush it and open another, ask again with other parameters, or go on with it as it is.
    /// - Throws: ``EncoderError`` when the encoder cannot go on; the session ends then. What no encoder could be opened
    ///   with was refused before by ``EncoderBackend/check(_:for:)``.
    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect
}

/// What an encoder that was flushed can do.
public struct FlushOutcome: Sendable, Hashable {
    /// Whether the encoder takes more pictures; else the session closes it, and opens another for the next one.
    public let takesMore: Bool
    /// Whether the next picture must be a key frame.
    public let needsKeyFrame: Bool

    /// The encoder takes no more pictures.
    public static let ended = FlushOutcome(takesMore: false, needsKeyFrame: true)
    /// The encoder goes on as if nothing had been.
    public static let goesOn = FlushOutcome(takesMore: true, needsKeyFrame: false)
    /// The encoder goes on with a key frame, which the session forces.
    public static let goesOnWithKeyFrame = FlushOutcome(takesMore: true, needsKeyFrame: true)
}

// What an encoder without delay and device leaves out.
extension FrameEncoder {
    /// No B pictures.
    public var reorderDepth: Int { 0 }
    /// Nothing is held.
    public var maximumDelay: Int { 0 }
    /// One at a time.
    public var depth: Int { 1 }
    /// Ten seconds.
    public var patience: Duration { .seconds(10) }
    /// Everything is as asked.
    public var adjustments: [Adjustment] { [] }
    /// Not known before the first picture.
    public var parameterSets: [[UInt8]]? { nil }
    /// Any memory will do.
    public var pixelBufferPool: PixelBufferPool? { nil }
    /// Only memory is read.
    public func reads(_ picture: PixelBuffer) -> Bool { false }
    /// All pictures come out of the call that takes them, or with another picture.
    public var inFlight: Int { 0 }
    /// There is nothing to wait for.
    public func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError) {}
    /// There is nothing to let go of.
    public func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome { .goesOn }
}
