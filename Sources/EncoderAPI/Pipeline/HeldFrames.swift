// SPDX-License-Identifier: MIT

/// What coded pictures change before it is known whether they leave.
struct Place {
    let assembler: AccessUnitAssembler.Progress
    private(set) var timestamps: DecodeTimestamps?
    private(set) var rateTimestamps: DecodeTimestamps?

    init(
        _ assembler: AccessUnitAssembler.Progress, _ timestamps: DecodeTimestamps?, _ rateTimestamps: DecodeTimestamps?
    ) {
        (self.assembler, self.timestamps, self.rateTimestamps) = (assembler, timestamps, rateTimestamps)
    }

    /// Notes a frame that is given to the encoder meanwhile.
    mutating func submit(_ time: MediaTime, rateTime: MediaTime, followsDurations: Bool) {
        if followsDurations, rateTimestamps == nil { rateTimestamps = timestamps }
        timestamps?.submit(time)
        rateTimestamps?.submit(rateTime)
    }

    /// Notes a frame that is left out meanwhile.
    mutating func skip(_ time: MediaTime) {
        if let index = timestamps?.skip(time) { rateTimestamps?.skip(at: index) }
    }
}

/// Coded frames of a session with data-rate limits that wait for others to be shown before them: in decode order.
struct HeldFrames {
    struct Frame {
        let encoded: EncodedFrame
        let unit: AccessUnit
        let ticket: FrameTickets.Ticket
        let id: Int
        /// The decode time on the clock of rate control.
        let rateTime: MediaTime
    }

    var frames: [Frame] = []
    /// What there was before the first of them; nil without any.
    var place: Place?

    var isEmpty: Bool { frames.isEmpty }

    /// The latest presentation time of them; nil without any.
    var latest: MediaTime? { frames.lazy.map(\.encoded.presentationTime).max() }
}

/// Whether pictures that come out of an encoder may refer to one that was dropped for a data-rate limit.
enum Reference {
    case complete
    /// All may, up to the next sync frame.
    case missing
    /// Those may that are shown before a sync frame.
    case completeFrom(MediaTime)

    /// Whether none may.
    var isComplete: Bool { if case .complete = self { true } else { false } }
}
