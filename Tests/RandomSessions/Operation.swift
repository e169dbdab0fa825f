// SPDX-License-Identifier: MIT

import EncoderAPI

/// One thing that is done to a session, or by its reader.
public enum Operation: Sendable, Hashable {
    case encode(Frame)
    case encodeImmediately(Frame)
    case update(Change)
    case resize(Size)
    case recolor(Color)
    case requestKeyFrame
    case prepare
    /// Up to a presentation time in ticks of ``Frame/timescale``, or everything.
    case complete(through: Int?)
    case finish
    case invalidate
    /// Somebody begins to read; nothing happens while somebody reads already.
    case read
    /// The reading task is cancelled and lets go of its iterator.
    case stopReading
    /// Another task tries to read while somebody does.
    case readTwice
    /// By the calls that do not suspend, on a thread of its own.
    indirect case synchronously(Operation)
    /// By the calls with a `whenDone`; the runner waits for its answer.
    indirect case answered(Operation)
    /// In a task that is cancelled after it gave way so many times.
    indirect case cancelled(Operation, after: Int)
    /// In tasks of their own, all at once.
    indirect case together([Operation])

    /// Whether the session is invalidated by it.
    var invalidates: Bool {
        switch self {
        case .invalidate: true
        case .synchronously(let operation), .answered(let operation), .cancelled(let operation, _):
            operation.invalidates
        case .together(let operations): operations.contains(where: \.invalidates)
        default: false
        }
    }

    /// A frame that is given.
    public struct Frame: Sendable, Hashable {
        /// Ticks per second of ``time``.
        public static let timescale: Int32 = 600
        /// Presentation time in ticks; may be out of order.
        public var time: Int
        /// What is wrong with its picture, if anything.
        public var picture: Picture
        /// What the pretended encoder does with it.
        public var fate: Fate
        /// Whether it must be a key frame.
        public var force: Bool

        /// The presentation time, in lowest terms if they are asked for: an encoder's clock may be too coarse then for
        /// times that follow.
        func mediaTime(inLowestTerms: Bool) -> MediaTime {
            let common = (1...Self.timescale).last { Self.timescale % $0 == 0 && time % Int($0) == 0 }
            let divisor = inLowestTerms ? common ?? 1 : 1
            return MediaTime(value: Int64(time / Int(divisor)), timescale: Self.timescale / divisor)
        }

        /// Makes a frame that is fine unless said otherwise.
        public init(_ time: Int, _ picture: Picture = .fine, _ fate: Fate = .coded, force: Bool = false) {
            self.time = time
            self.picture = picture
            self.fate = fate
            self.force = force
        }
    }

    /// What is wrong with a picture.
    public enum Picture: Sendable, Hashable, CaseIterable {
        case fine
        case wrongSize
        case wrongFormat
        /// It tells a color that no session has.
        case wrongColor
        /// A sample above the bit depth; eight-bit sessions get a fine picture instead.
        case illegalSample
    }

    /// What the pretended encoder does with a picture.
    public enum Fate: UInt8, Sendable, Hashable, CaseIterable {
        case coded
        /// Left out by its rate control.
        case skipped
        /// Coded as a NAL unit that does not fit the length field.
        case tooLarge
        /// The encoder gives up instead of taking it.
        case failing
    }

    /// The pictures that a session is told to expect.
    public enum Size: Sendable, Hashable, CaseIterable {
        /// The pictures that it is made for.
        case usual
        case small
        /// No encoder takes them.
        case impossible
    }

    /// What a session is told that its pictures mean.
    public enum Color: Sendable, Hashable, CaseIterable {
        /// What it is made for.
        case usual
        case other
        /// No stream can signal it.
        case impossible
    }

    /// What an update asks for.
    public enum Change: Sendable, Hashable, CaseIterable {
        case nothing
        case bitRate
        case impossible
        /// Every picture a key frame, or no interval any more; for real encoders, as all that follow.
        case interval
        /// A limit, or none any more.
        case limit
        /// A limit that not every picture fits, or none any more.
        case scarceLimit
        /// A constant bit rate with a buffer of half a second, or an average again.
        case constantBitRate
        /// A constant quantizer or rate factor in place of the average, or back.
        case mode
        /// Another frame rate to expect.
        case hint

        /// Those that the model predicts the pretended encoder's pictures for.
        static let predicted: [Change] = [.nothing, .bitRate, .impossible]
        /// Those that a pretended encoder with limits takes besides.
        static let limits: [Change] = [.limit, .scarceLimit]
    }
}

/// ``Operation/Fate`` where Foundation has another Operation.
public typealias PictureFate = Operation.Fate

/// What the pretended encoder is like, and what the session is made with.
public struct Pretence: Sendable, Hashable {
    /// Pictures that it holds.
    public var delay = 0
    /// Whether it codes some pictures after the one that follows them.
    public var reorders = false
    /// Whether it takes a bit rate without starting anew.
    public var updatesLive = true
    /// Whether it takes one with a key frame only.
    public var updatesWithKeyFrame = false
    /// Whether draining fails.
    public var failsToDrain = false
    /// Pictures that it has under way at a time, as an encoder with a device has; 0 where each comes out of the call
    /// that brings it out.
    public var depth = 0
    /// Whether it goes on after it was drained.
    public var outlivesDraining = false
    /// The picture, counted in those that come out, with which the device is lost.
    public var losingOutput: Int?
    /// Whether the device then says nothing, so that the session has to notice.
    public var losesLate = false
    /// The opening that fails, counted from 0.
    public var failingOpening: Int?
    /// Whether the session has ten-bit pictures.
    public var isDeep = false
    /// ``SessionConfiguration/maxFrameDelayCount``.
    public var maxFrameDelayCount: Int?
    /// Whether the session has a bit rate to keep, so that it follows how fast frames come.
    ///
    /// The pretended encoder then signals frame rate, clock, level and rate in its parameter sets, and the model
    /// predicts no key frames.
    public var isPaced = false
    /// Whether frames' times are given in lowest terms.
    public var hasLowestTerms = false
    /// ``SessionConfiguration/maxKeyFrameIntervalDuration`` in ticks of ``Operation/Frame/timescale``.
    public var keyFrameInterval = 0
    /// What becomes of pictures that data-rate limits have no room for, which have sizes then.
    public var limits = Limits.never
    /// Who takes what comes out.
    public var delivery = Delivery.read
    /// How the session ends unless an operation ended it before.
    public var ending = Ending.finished
    /// What parameter sets of a real encoder state besides.
    public var statement = Statement.nothing

    /// What parameter sets state of rate and buffer.
    public enum Statement: Sendable, Hashable, CaseIterable {
        case nothing
        /// The level that a bit-rate ceiling needs.
        case ceiling
        /// A buffer model (HRD).
        case bufferModel
    }

    /// What becomes of pictures that data-rate limits have no room for.
    public enum Limits: Sendable, Hashable, CaseIterable {
        /// There are no limits.
        case never
        /// The encoder takes no quantizers, so the session drops them, and what refers to them: the model predicts
        /// which.
        case dropped
        /// The encoder takes quantizers, so the session encodes them again: the model predicts no pictures, and each
        /// that is dropped must not have fitted with the largest quantizer.
        case coarser
    }

    /// Who takes what comes out.
    public enum Delivery: Sendable, Hashable, CaseIterable {
        /// Somebody who reads it.
        case read
        /// A handler on the session's thread.
        case handled
        /// A handler on a queue.
        case queued
    }

    /// How a session ends.
    public enum Ending: Sendable, Hashable, CaseIterable {
        case finished
        case invalidated
        /// Nobody holds it any more.
        case released
    }

    /// Makes an encoder that holds and loses nothing.
    public init() {}
}

/// A session's life: what it is made with, and what is done to it.
public struct OperationSequence: Sendable, Hashable {
    /// What the encoder and the session are like.
    public var pretence: Pretence
    /// What is done, in this order.
    public var operations: [Operation]

    /// Whether a handler may not get what is left: it is given nothing any more once the session is invalidated, also
    /// one that had failed or was finished before.
    var mayLeaveHandlerWithout: Bool {
        pretence.delivery != .read && (pretence.ending == .invalidated || operations.contains(where: \.invalidates))
    }

    /// Puts a life together.
    public init(_ pretence: Pretence, _ operations: [Operation]) {
        self.pretence = pretence
        self.operations = operations
    }
}
