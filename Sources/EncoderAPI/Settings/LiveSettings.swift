// SPDX-License-Identifier: MIT

/// The settings that may change while a session runs, with ``CompressionSession/update(_:)``.
public struct LiveSettings: Sendable, Hashable {
    /// What decides how many bits a picture gets; ``averageBitRate``, ``constantBitRate``, ``variableBitRate``,
    /// ``quality``, ``constantRateFactor`` and ``constantQuantizer`` are doors to the same value.
    public var rateControl: RateControl = .automatic
    /// Hard caps that hold at the same time; empty for none.
    ///
    /// Windows are counted in decode order on the clock of rate control: decode times, or durations where these say
    /// that times count in another unit, which is listed. A frame that no quantizer makes small enough is dropped with
    /// `.rateControl`. openh264 refuses them.
    ///
    /// Frames keep those that were in force when they were given, whenever they come out. libx264 and libx265 count a
    /// decoder's buffer in units of 1000 bits, so that they refuse a limit below 625 bytes in a second, or below 250 in
    /// a tenth of one, unless the average leaves 1000 bits of it to the buffer.
    public var dataRateLimits: [DataRateLimit] = []
    /// Highest rate in bit/s at which the decoder's buffer fills with a ``variableBitRate``, from that rate to
    /// 1,000,000,000; nil for twice the rate, as far as level and ceiling allow it.
    ///
    /// Refused in any other mode.
    public var vbvMaxBitRate: Int?
    /// What the decoder's buffer holds, in seconds of the rate that fills it, 0.001 to 3600, with a ``constantBitRate``
    /// or a ``variableBitRate``; refused in any other mode.
    ///
    /// It is made no smaller than the share of one picture, and no larger than the level allows, which is listed. Nil
    /// means 2.5 seconds with a variable rate, and 0.15 with a constant one, so that no second carries more than 1.15
    /// times it with libx264; libx265 passes its buffer where flat pictures end.
    public var vbvBufferDuration: Double?
    /// How full the decoder's buffer is when the first picture is decoded, in percent, 0 to 100; nil means 90.
    ///
    /// A first picture that takes more than is there comes late, whatever the encoder does: with 0 any.
    ///
    /// Goes with a ``constantBitRate`` or a ``variableBitRate``, and is refused in any other mode. Takes effect with
    /// the stream's first picture; an encoder that is opened later starts with what is in the buffer.
    public var vbvInitialDelayPercentage: Double?
    /// Smallest quantizer a picture may get, 0 to 51 or what ``EncoderCapabilities/quantizers`` says; nil for the
    /// encoder's own.
    public var minAllowedFrameQP: Int?
    /// Largest quantizer a picture may get, likewise; nil for the encoder's own.
    public var maxAllowedFrameQP: Int?
    /// Most frames from one sync frame to the next, 1 to 2^30, where 1 makes every frame one; nil leaves it to the
    /// encoder.
    ///
    /// A shorter one holds for the frames that follow, with libx264, libx265 and libopenh264 without a new encoder;
    /// what a longer one takes is the encoder's affair.
    public var maxKeyFrameInterval: Int?
    /// The first frame that is shown so many seconds or more after a sync frame is a sync frame too, 0.001 to 86,400;
    /// nil sets no limit.
    ///
    /// Presentation times count, whatever the frame rate; at a constant rate that divides the duration, sync frames
    /// come exactly so far apart. With ``maxKeyFrameInterval`` whichever comes first. With
    /// ``SessionConfiguration/allowOpenGOP`` a partial sync frame counts as one.
    public var maxKeyFrameIntervalDuration: Double?
    /// A hint, not a control: frames per second that will come, 0.01 to 1000; nil lets the first frame's
    /// duration stand in, else 30.
    ///
    /// Encoders are opened for it, and for one where it is less; presentation times that contradict it win, and the
    /// adjustments say so. Only frames that were taken have times: those that a full pipeline left out make the rate a
    /// lower one.
    public var expectedFrameRate: FrameRate?

    /// Makes settings in which the encoder decides everything.
    public init() {}

    /// Makes settings with a rate control.
    public init(
        rateControl: RateControl, dataRateLimits: [DataRateLimit] = [], expectedFrameRate: FrameRate? = nil
    ) {
        self.rateControl = rateControl
        self.dataRateLimits = dataRateLimits
        self.expectedFrameRate = expectedFrameRate
    }

    /// The long-term mean in bit/s, 1000 to 1,000,000,000; nil when something else is in control.
    ///
    /// Setting it replaces ``rateControl``; setting it to nil leaves the rate to the encoder.
    public var averageBitRate: Int? {
        get { if case .averageBitRate(let rate) = rateControl { rate } else { nil } }
        set { rateControl = newValue.map(RateControl.averageBitRate) ?? .automatic }
    }

    /// The constant rate in bit/s, 1000 to 1,000,000,000; nil when something else is in control.
    ///
    /// Setting it replaces ``rateControl``; setting it to nil leaves the rate to the encoder.
    public var constantBitRate: Int? {
        get { if case .constantBitRate(let rate) = rateControl { rate } else { nil } }
        set { rateControl = newValue.map(RateControl.constantBitRate) ?? .automatic }
    }

    /// The mean of a variable rate in bit/s, 1000 to 1,000,000,000; nil when something else is in control.
    ///
    /// Setting it replaces ``rateControl``; setting it to nil leaves the rate to the encoder.
    public var variableBitRate: Int? {
        get { if case .variableBitRate(let rate) = rateControl { rate } else { nil } }
        set { rateControl = newValue.map(RateControl.variableBitRate) ?? .automatic }
    }

    /// VideoToolbox's Quality, 0 to 1; nil when something else is in control.
    ///
    /// Setting it replaces ``rateControl``; setting it to nil leaves the rate to the encoder.
    public var quality: Double? {
        get { if case .quality(let quality) = rateControl { quality } else { nil } }
        set { rateControl = newValue.map(RateControl.quality) ?? .automatic }
    }

    /// The constant rate factor, 0 to 51; nil when something else is in control.
    ///
    /// Setting it replaces ``rateControl``; setting it to nil leaves the rate to the encoder.
    public var constantRateFactor: Double? {
        get { if case .constantRateFactor(let factor) = rateControl { factor } else { nil } }
        set { rateControl = newValue.map(RateControl.constantRateFactor) ?? .automatic }
    }

    /// The quantizer of all P pictures, 0 to 51 or what ``EncoderCapabilities/quantizers`` says; nil when something
    /// else is in control.
    ///
    /// Setting it replaces ``rateControl``; setting it to nil leaves the rate to the encoder.
    public var constantQuantizer: Int? {
        get { if case .constantQuantizer(let quantizer) = rateControl { quantizer } else { nil } }
        set { rateControl = newValue.map(RateControl.constantQuantizer) ?? .automatic }
    }
}

/// What an update of the live settings did.
@nonexhaustive
public enum UpdateOutcome: Sendable, Hashable {
    /// The encoder goes on with the new settings from the next frame on, with the same parameter sets, and without a
    /// key frame but for one that a shorter interval makes due. What limits or level make of a value is in
    /// ``CompressionSession/adjustments``.
    case applied
    /// The stream starts anew with the next frame, a key frame: another encoder was opened, or the open one takes the
    /// change on with it. `formatMayChange` is false where the parameter sets stay those in force; true where they
    /// differ or the encoder does not tell them before the frame. Without such an answer the session changes none; only
    /// a fault of the back end can: see <doc:Timestamps>.
    case restarted(formatMayChange: Bool)
    /// Nothing differs from before.
    case unchanged
}
