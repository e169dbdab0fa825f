// SPDX-License-Identifier: MIT

import DequeModule
public import EncoderAPI
public import Publishing

/// What waits to be sent to one viewer, and what is left out when that becomes too much.
///
/// A pure value that neither blocks nor knows a clock. It begins with a key frame. A viewer that takes less than comes
/// goes on with the newest key frame that waits, or else with the next one that comes: all that was to be sent before
/// it is left out. What waits is shared by all viewers; a queue holds no bytes of its own.
public struct ViewerQueue<Payload: Sendable>: Sendable {
    /// A frame that waits.
    public struct Frame: Sendable {
        /// The track it belongs to.
        public let track: TrackID
        /// What it is coded with.
        public let format: TrackFormat
        /// When it is shown or heard.
        public let presentationTime: MediaTime
        /// When it is decoded.
        public let decodeTime: MediaTime
        /// Whether decoding can start here.
        public let isKey: Bool
        /// How many bytes it counts for.
        public let byteCount: Int
        /// What is sent.
        public let payload: Payload

        /// Whether it is of no use to who begins with a picture shown at a time.
        ///
        /// That is a picture shown before, or sound that begins more than the priming, and more than a packet, before:
        /// a decoder needs the packet before the one whose samples it gives.
        fileprivate func isTooEarly(for start: MediaTime) -> Bool {
            guard let audio = format.audio else { return presentationTime < start }
            let lead = audio.duration(ofFrames: Int64(max(audio.priming, audio.framesPerPacket)))
            return presentationTime < start - lead
        }

        /// Takes from a packet what the queue goes by.
        ///
        /// - Parameters:
        ///   - packet: The packet, whose bytes the frame does not hold.
        ///   - payload: What is sent of it.
        ///   - byteCount: How many bytes that has.
        public init(_ packet: MediaPacket, payload: Payload, byteCount: Int) {
            (track, format, isKey) = (packet.track, packet.format, packet.isKey)
            (presentationTime, decodeTime) = (packet.presentationTime, packet.decodeTime)
            (self.payload, self.byteCount) = (payload, byteCount)
        }
    }

    private let limits: ViewerLimits
    private let hasVideo: Bool
    private var frames: Deque<Frame> = []
    /// Whether all is left out up to the next key frame.
    private var awaitsKeyFrame = true
    /// When the key frame is shown that sending began with, or went on with: what is shown before it is predicted from
    /// pictures that were left out, or is sound of such.
    private var start: MediaTime?
    /// The formats that the viewer was told.
    private var told: [TrackID: TrackFormat] = [:]

    /// Whether no key frame has come yet.
    public private(set) var isBeginning = true
    /// Bytes that wait.
    public private(set) var byteCount = 0
    /// Frames that were given, left out ones included.
    public private(set) var givenFrames = 0
    /// Frames that came before the key frame the viewer began with.
    public private(set) var passedOver = 0
    /// Frames that were left out since, because the viewer took less than came, or for want of those.
    public private(set) var droppedFrames = 0

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - tracks: All that frames will come of; where none is of pictures, any frame of sound is one to begin with.
    ///   - limits: How much may wait.
    public init(tracks: [TrackID], limits: ViewerLimits = ViewerLimits()) {
        hasVideo = tracks.contains { $0.kind == .video }
        self.limits = limits
    }

    /// Frames that wait.
    public var count: Int { frames.count }

    /// Media time from the oldest to the newest frame that waits.
    public var age: MediaTime {
        guard let first = frames.first, let last = frames.last else { return .zero }
        return max(.zero, last.decodeTime - first.decodeTime)
    }

    /// Takes a frame, or leaves it out.
    ///
    /// - Parameter frame: In the order of decoding.
    public mutating func push(_ frame: Frame) {
        givenFrames += 1
        if awaitsKeyFrame {
            guard isStart(frame) else { return leaveOut(1) }
            (awaitsKeyFrame, isBeginning, start) = (false, false, frame.presentationTime)
        } else if let start, !isStart(frame), frame.isTooEarly(for: start) {
            return leaveOut(1)
        }
        frames.append(frame)
        byteCount += frame.byteCount
        while frames.count > 1, age > limits.duration || byteCount > limits.byteCount { catchUp() }
    }

    /// Gives the frame to be sent next.
    ///
    /// - Returns: The frame, and whether the viewer has to be told its format before it; nil where nothing waits.
    public mutating func pop() -> (frame: Frame, isFormatNew: Bool)? {
        guard let frame = frames.popFirst() else { return nil }
        byteCount -= frame.byteCount
        let isNew = told[frame.track] != frame.format
        if isNew { told[frame.track] = frame.format }
        return (frame, isNew)
    }

    /// Goes on with the newest key frame that waits behind others; where there is none, with the next that comes.
    private mutating func catchUp() {
        let place = frames.lastIndex(where: isStart) ?? 0
        if place > 0 {
            start = frames[place].presentationTime
        } else {
            awaitsKeyFrame = true
        }
        let count = place > 0 ? place : frames.count
        let before = frames.count
        frames.removeFirst(count)
        if let start { frames = frames.filter { isStart($0) || !$0.isTooEarly(for: start) } }
        byteCount = frames.reduce(0) { $0 + $1.byteCount }
        leaveOut(before - frames.count)
    }

    private mutating func leaveOut(_ count: Int) {
        if isBeginning { passedOver += count } else { droppedFrames += count }
    }

    /// Whether sending can begin with a frame.
    private func isStart(_ frame: Frame) -> Bool { frame.isKey && (frame.track.kind == .video || !hasVideo) }
}
