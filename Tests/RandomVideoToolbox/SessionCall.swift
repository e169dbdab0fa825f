// SPDX-License-Identifier: MIT

import EKCoreFoundation
import EKVideoToolbox
import Foundation
public import RandomSessions

/// One call that is made of a VTCompressionSession.
public enum SessionCall: Sendable, Hashable {
    /// Gives a frame.
    case encode(Frame)
    /// Sets a key to one of ``SessionKey/values``, by its place.
    case set(SessionKey, Int)
    case copy(SessionKey)
    case prepare
    /// Waits for all frames, or for those up to the last one given.
    case complete(upToLast: Bool)
    case invalidate
    /// Lets go of the session: the thread's last call.
    case release

    /// A frame that is given.
    public struct Frame: Sendable, Hashable {
        /// What the pretended encoder does with it.
        public var fate = PictureFate.coded
        /// Whether it must be a key frame.
        public var force = false
        /// Whether its time is below all others'.
        public var isLate = false
    }
}

/// A key that is set and read, in one thread alone where several run.
public enum SessionKey: Int, Sendable, CaseIterable {
    // Taken while the encoder is open.
    case average, minQuantizer, maxQuantizer
    // Taken by another encoder.
    case profile, entropyMode
    // Changes nothing.
    case duration
    case readOnly, unknown

    /// Whether an encoder that is open takes it.
    var isLive: Bool { rawValue <= Self.maxQuantizer.rawValue }
    var isFixed: Bool { self == .profile || self == .entropyMode }

    var name: CFString {
        switch self {
        case .average: kVTCompressionPropertyKey_AverageBitRate
        case .minQuantizer: kVTCompressionPropertyKey_MinAllowedFrameQP
        case .maxQuantizer: kVTCompressionPropertyKey_MaxAllowedFrameQP
        case .profile: kVTCompressionPropertyKey_ProfileLevel
        case .entropyMode: kVTCompressionPropertyKey_H264EntropyMode
        case .duration: kVTCompressionPropertyKey_ExpectedDuration
        case .readOnly: kVTCompressionPropertyKey_NumberOfPendingFrames
        case .unknown: "NobodyKnows" as CFString
        }
    }

    /// A value with what setting it answers.
    struct Value {
        /// nil for the default.
        var object: CFTypeRef?
        var status: OSStatus
    }

    private static func legal(_ objects: CFTypeRef?...) -> [Value] { objects.map { Value(object: $0, status: noErr) } }
    private static func illegal(_ objects: CFTypeRef?...) -> [Value] {
        objects.map { Value(object: $0, status: kVTParameterErr) }
    }

    /// Legal and illegal ones.
    var values: [Value] {
        switch self {
        case .average:
            Self.legal(100_000 as NSNumber, 200_000 as NSNumber, 300_000.5 as NSNumber, nil)
                + Self.illegal(-1 as NSNumber, 1e12 as NSNumber, "much" as NSString, kCFBooleanTrue)
        case .minQuantizer: Self.legal(5 as NSNumber, 10 as NSNumber, nil) + Self.illegal(-1 as NSNumber, NSArray())
        case .maxQuantizer: Self.legal(40 as NSNumber, 45 as NSNumber, nil) + Self.illegal(52 as NSNumber, NSArray())
        case .profile:
            Self.legal(kVTProfileLevel_H264_High_AutoLevel, kVTProfileLevel_H264_High_4_0, nil)
                + Self.illegal("H264_Low_1_0" as NSString, 1 as NSNumber, kVTProfileLevel_HEVC_Main_AutoLevel)
        case .entropyMode:
            Self.legal(kVTH264EntropyMode_CAVLC, kVTH264EntropyMode_CABAC, nil)
                + Self.illegal("cabac" as NSString, kCFBooleanFalse)
        case .duration: Self.legal(2 as NSNumber, nil) + Self.illegal(-2 as NSNumber, "long" as NSString)
        case .readOnly: [Value(object: 3 as NSNumber, status: kVTPropertyReadOnlyErr)]
        case .unknown: [Value(object: 3 as NSNumber, status: kVTPropertyNotSupportedErr)]
        }
    }

    /// What reading the key answers.
    var readStatus: OSStatus { self == .unknown ? kVTPropertyNotSupportedErr : noErr }

    /// What is compared of a value: its text; nil for none.
    static func text(_ object: CFTypeRef?) -> String? {
        switch object {
        case let number as NSNumber: "\(Int(number.doubleValue))"
        case let text as NSString: "\(text)"
        case nil: nil
        default: "another object"
        }
    }
}

/// A session's life: what it is like, and which thread makes which calls.
public struct CallSequence: Sendable, Hashable {
    /// What the pretended encoder is like.
    public var pretence = Pretence()
    /// Whether the session has RealTime.
    public var isRealTime = false
    /// One list for each thread; one thread's outcome is predicted call by call.
    public var threads: [[SessionCall]] = []
    /// What the callback of a frame does, by the frame's number.
    public var inCallbacks: [Int: [SessionCall]] = [:]
    /// Whether the last thing is to wait for all frames, before the session is let go of.
    public var isCompleted = true

    /// Whether everything that comes of it is known beforehand.
    var isPredictable: Bool { threads.count == 1 && inCallbacks.isEmpty }
}
