// SPDX-License-Identifier: MIT

/// What became of one frame given to a session; coded frames come in decode order, dropped ones anywhere between them.
public struct EncodedFrame: Sendable {
    /// Either of the two things that can become of a frame.
    ///
    /// Closed: it is in the stream or not.
    public enum Outcome: Sendable {
        /// The frame was encoded.
        case encoded(AccessUnit)
        /// The frame is not in the stream.
        case dropped(DropReason)
    }

    /// Why a frame is not in the stream.
    @nonexhaustive
    public enum DropReason: Sendable, Hashable {
        /// Rate control had no bits for it; what follows decodes without it.
        case rateControl
        /// The frame could not be encoded or delivered.
        ///
        /// Where the encoder had coded the frame or lost it, the session goes on with a key frame; where it never saw
        /// the frame, because of its samples, because it could not be mapped, or because it came in the size of a
        /// change that could not be made, the others take no notice. Or the session ended with this error, which the
        /// sequence throws after the last event.
        case failed(EncoderError)
    }

    /// The access unit, or why there is none.
    public let outcome: Outcome
    /// The presentation time exactly as given.
    public let presentationTime: MediaTime
    /// When to decode: never later than the presentation time, and later than that of the coded frame before.
    ///
    /// The first frames' may be negative: with reordering the decode clock starts early by the reorder depth. A
    /// dropped frame is not decoded; its decode time is its presentation time.
    public let decodeTime: MediaTime
    /// The duration exactly as given.
    public let duration: MediaTime?
    /// What the caller gave with the frame.
    public let token: (any Sendable)?
    /// How long the session had the frame; nil for a dropped frame, and for one that no session gave.
    public internal(set) var cost: FrameCost?

    /// Puts a frame together: for tests of what takes frames.
    public init(
        outcome: Outcome, presentationTime: MediaTime, decodeTime: MediaTime, duration: MediaTime? = nil,
        token: (any Sendable)? = nil
    ) {
        self.init(outcome, presentationTime, decodeTime, duration, token, cost: nil)
    }

    init(
        _ outcome: Outcome, _ presentationTime: MediaTime, _ decodeTime: MediaTime, _ duration: MediaTime?,
        _ token: (any Sendable)?, cost: FrameCost?
    ) {
        self.outcome = outcome
        self.presentationTime = presentationTime
        self.decodeTime = decodeTime
        self.duration = duration
        self.token = token
        self.cost = cost
    }

    /// The access unit; nil for a dropped frame.
    public var accessUnit: AccessUnit? { if case .encoded(let unit) = outcome { unit } else { nil } }

    /// Why the frame was dropped; nil for an encoded one.
    public var dropReason: DropReason? { if case .dropped(let reason) = outcome { reason } else { nil } }
}

extension EncodedFrame.DropReason {
    /// This reason for a frame whose session goes on, whatever a back end says that knows no session.
    var leavingSession: Self {
        if case .failed(let error) = self { .failed(error.leavingSession) } else { self }
    }
}

/// One coded picture with everything that belongs to it.
public struct AccessUnit: Sendable {
    /// How a picture is predicted.
    @nonexhaustive
    public enum PictureType: String, Sendable, Hashable {
        /// From itself only.
        case i
        /// Also from pictures before it in decode order, one at a time.
        case p
        /// Also from two pictures at a time.
        case b
    }

    enum Storage: Sendable {
        case array([UInt8])
        case block(UnitBlock)
    }

    private let storage: Storage
    /// The NAL units, each behind its start code or length as the session's framing says.
    public var data: [UInt8] {
        switch storage {
        case .array(let data): data
        case .block(let block): Array(block.bytes)
        }
    }
    /// The memory that ``data`` is read from, where the session was made with ``UnitMemory/block``.
    package var block: UnitBlock? { if case .block(let block) = storage { block } else { nil } }
    /// Bytes of ``data``, without reading it.
    public let byteCount: Int
    /// Where in ``data`` each NAL unit lies, without its start code or length.
    public let nalUnits: [Range<Int>]
    /// Valid for this picture; a change shows on the frame it starts with.
    public let format: FormatDescription
    /// How the picture is predicted.
    public let pictureType: PictureType
    /// Whether decoding can start here and everything after it decodes (IDR): "not sync" of VideoToolbox, inverted.
    public let isSync: Bool
    /// Whether decoding can start here but pictures shown earlier may be missing (open GOP: CRA, recovery point).
    public let isPartialSync: Bool
    /// Whether other pictures are predicted from this one; one without may be dropped.
    public let isDependedOnByOthers: Bool
    /// Mean quantizer the encoder reports; nil where it reports none.
    let reportedQP: Double?

    /// Whether the picture needs others to be decoded; false exactly for I pictures.
    public var dependsOnOthers: Bool { pictureType != .i }

    /// Puts an access unit together.
    public init(
        data: [UInt8], nalUnits: [Range<Int>], format: FormatDescription, pictureType: PictureType, isSync: Bool,
        isPartialSync: Bool = false, isDependedOnByOthers: Bool = true, averageQP: Double? = nil
    ) {
        self.init(
            .array(data), nalUnits: nalUnits, format: format, pictureType: pictureType, isSync: isSync,
            isPartialSync: isPartialSync, isDependedOnByOthers: isDependedOnByOthers, averageQP: averageQP)
    }

    init(
        _ storage: Storage, nalUnits: [Range<Int>], format: FormatDescription, pictureType: PictureType, isSync: Bool,
        isPartialSync: Bool, isDependedOnByOthers: Bool, averageQP: Double?
    ) {
        self.storage = storage
        byteCount =
            switch storage {
            case .array(let data): data.count
            case .block(let block): block.bytes.count
            }
        self.nalUnits = nalUnits
        self.format = format
        self.pictureType = pictureType
        self.isSync = isSync
        self.isPartialSync = isPartialSync
        self.isDependedOnByOthers = isDependedOnByOthers
        reportedQP = averageQP
    }
}
