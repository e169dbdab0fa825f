// SPDX-License-Identifier: MIT

#if os(Linux)
    package import EKCoreFoundation
    import EKCoreVideo
    package import Foundation
    import Synchronization

    /// When a sample is decoded and shown.
    public struct CMSampleTimingInfo: Sendable {
        /// How long it is shown.
        public var duration: CMTime
        /// When it is shown.
        public var presentationTimeStamp: CMTime
        /// When it is decoded; invalid for the same time and order.
        public var decodeTimeStamp: CMTime

        /// Makes three invalid times.
        public init() { (duration, presentationTimeStamp, decodeTimeStamp) = (.invalid, .invalid, .invalid) }

        /// Takes three times as they are.
        public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
            self.duration = duration
            self.presentationTimeStamp = presentationTimeStamp
            self.decodeTimeStamp = decodeTimeStamp
        }

        /// Three invalid times.
        public static let invalid = CMSampleTimingInfo()
    }

    /// Three invalid times.
    public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid

    /// Samples with their times, sizes, attachments and description: coded ones in a block of bytes, or one picture.
    ///
    /// Any thread may read it and its attachments; who writes attachments of a sample sees to it that nobody else uses
    /// them meanwhile. Equal to itself alone.
    public final class CMSampleBuffer {
        let description: CMFormatDescription?
        let imageBuffer_: CVImageBuffer?
        let count: Int
        let timings: [CMSampleTimingInfo]
        let sizes: [Int]
        private let state: Mutex<State>

        /// What changes.
        private struct State: @unchecked Sendable {
            // Unchecked: the objects are reached inside the mutex alone, or retained for whoever asks.
            var data: CMBlockBuffer?
            var isReady: Bool
            var isValid = true
            var outputTime: CMTime?
            var perSample: NSArray?
            var attachments: [String: (value: AnyObject, mode: UInt32)] = [:]
        }

        /// Carries objects out of the mutex.
        private struct Held<Value>: @unchecked Sendable {
            // Unchecked: used by the thread that made it alone.
            let value: Value
        }

        init(
            data: CMBlockBuffer?, image: CVImageBuffer?, isReady: Bool, description: CMFormatDescription?, count: Int,
            timings: [CMSampleTimingInfo], sizes: [Int]
        ) {
            (self.description, imageBuffer_, self.count) = (description, image, count)
            (self.timings, self.sizes) = (timings, sizes)
            let state = Held(value: State(data: data, isReady: isReady))
            self.state = Mutex(state.value)
        }

        /// One coded sample.
        package convenience init(
            _ data: CMBlockBuffer, _ description: CMFormatDescription, _ timing: CMSampleTimingInfo,
            attachments: NSMutableDictionary
        ) {
            self.init(
                data: data, image: nil, isReady: true, description: description, count: 1, timings: [timing],
                sizes: [data.length])
            let list = Held(value: NSArray(object: attachments))
            state.withLock { $0.perSample = list.value }
        }

        /// The bytes; nil where there are none, or none yet.
        var data: CMBlockBuffer? {
            get { state.withLock { Held(value: $0.data) }.value }
            set {
                let next = Held(value: newValue)
                let old = state.withLock { state in
                    defer { state.data = next.value }
                    return Held(value: state.data)
                }
                _ = old
            }
        }

        /// Whether bytes or picture are there.
        var isReady: Bool {
            get { state.withLock { $0.isReady } }
            set { state.withLock { $0.isReady = newValue } }
        }

        /// Whether nobody invalidated it.
        public var isValid: Bool { state.withLock { $0.isValid } }

        /// Marks it as used up; false where somebody did before.
        func end() -> Bool {
            state.withLock { state in
                defer { state.isValid = false }
                return state.isValid
            }
        }

        /// When it is to be shown, where somebody said so.
        var outputTime: CMTime? {
            get { state.withLock { $0.outputTime } }
            set { state.withLock { $0.outputTime = newValue } }
        }

        /// The samples' attachments, one dictionary for each.
        ///
        /// - Parameter creates: Whether they are made where there are none.
        /// - Returns: The list; nil where there is none.
        func perSampleAttachments(creates: Bool) -> NSArray? {
            let count = count
            return state.withLock { state in
                if state.perSample == nil, creates, count > 0 {
                    state.perSample = NSArray(array: (0..<count).map { _ in NSMutableDictionary() })
                }
                return Held(value: state.perSample)
            }.value
        }

        /// What is attached to the buffer as a whole.
        package func attachment(_ key: CFString) -> (value: AnyObject, mode: UInt32)? {
            state.withLock { Held(value: $0.attachments["\(key)"]) }.value
        }

        func attach(_ value: AnyObject?, _ key: CFString, _ mode: UInt32) {
            let (name, next) = ("\(key)", Held(value: value))
            let old = state.withLock { state in
                defer { state.attachments[name] = next.value.map { ($0, mode) } }
                return Held(value: state.attachments[name])
            }
            _ = old
        }

        func attachments(_ mode: UInt32?) -> [(key: String, value: AnyObject, mode: UInt32)] {
            state.withLock { state in
                Held(
                    value: state.attachments.filter { mode == nil || $0.value.mode == mode }
                        .map { (key: $0.key, value: $0.value.value, mode: $0.value.mode) })
            }.value
        }
    }

    extension CMSampleBuffer: Hashable {
        /// Whether both are the same object.
        public static func == (left: CMSampleBuffer, right: CMSampleBuffer) -> Bool { left === right }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    extension CMSampleBuffer: CFTyped {
        package static var cfTypeID: CFTypeID { 112 }
    }
#endif
