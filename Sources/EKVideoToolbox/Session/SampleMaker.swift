// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EncoderAPI
    import Foundation

    /// Makes sample buffers of encoded frames, one after the other.
    struct SampleMaker {
        /// What decode times are later than EncoderAPI's, so that the first is the first presentation time.
        private var shift: MediaTime?
        private var lastDecodeTime: MediaTime?
        private var isReordered = false
        private var format: FormatDescription?
        private var description: CMFormatDescription?
        /// Attachments by what is true of a unit.
        private var patterns = [NSMutableDictionary?](repeating: nil, count: 16)

        /// The sample of an access unit.
        mutating func sample(
            of unit: AccessUnit, _ frame: EncodedFrame, _ ticket: FrameTicket
        ) -> CMSampleBuffer {
            // Clients write start codes over the lengths: the block is the unit's own, and nobody else's.
            guard let block = unit.block else { preconditionFailure("the session was made for units in blocks") }
            let timing = CMSampleTimingInfo(
                duration: ticket.duration, presentationTimeStamp: ticket.presentationTime,
                decodeTimeStamp: decodeTime(frame))
            return CMSampleBuffer(
                CMBlockBuffer(block), description(unit.format), timing, attachments: attachments(of: unit))
        }

        /// Decode times begin at the first presentation time, as VideoToolbox has them; invalid while frames come in
        /// the order in which they are shown.
        private mutating func decodeTime(_ frame: EncodedFrame) -> CMTime {
            let shift = self.shift ?? frame.presentationTime - frame.decodeTime
            self.shift = shift
            if frame.decodeTime != frame.presentationTime { isReordered = true }
            var time = shift == .zero ? frame.decodeTime : frame.decodeTime + shift
            if let last = lastDecodeTime, time <= last { time = last + MediaTime(value: 1, timescale: last.timescale) }
            lastDecodeTime = time
            return isReordered ? CMTime(value: time.value, timescale: time.timescale) : .invalid
        }

        /// The same object until parameter sets change.
        private mutating func description(_ format: FormatDescription) -> CMFormatDescription {
            if let description, self.format == format { return description }
            let made = CMFormatDescription(format)
            (self.format, description) = (format, made)
            return made
        }

        /// What is attached to the sample of an access unit: a dictionary of its own, copied from one
        /// that was made for an equal unit, so that no name is hashed again.
        private mutating func attachments(of unit: AccessUnit) -> NSMutableDictionary {
            let facts = [unit.isSync, unit.isPartialSync, unit.dependsOnOthers, unit.isDependedOnByOthers]
            let place = facts.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
            let made = patterns[place] ?? Self.attachments(of: unit)
            patterns[place] = made
            guard let copy = made.mutableCopy() as? NSMutableDictionary else {
                preconditionFailure("a copy that may be changed is one of its class")
            }
            return copy
        }

        private static func attachments(of unit: AccessUnit) -> NSMutableDictionary {
            let values = NSMutableDictionary()
            func set(_ key: CFString, _ value: Bool) {
                values.setObject(NSNumber(value: value), forKey: key)
            }
            if !unit.isSync { set(kCMSampleAttachmentKey_NotSync, true) }
            if unit.isPartialSync { set(kCMSampleAttachmentKey_PartialSync, true) }
            set(kCMSampleAttachmentKey_DependsOnOthers, unit.dependsOnOthers)
            if !unit.isDependedOnByOthers { set(kCMSampleAttachmentKey_IsDependedOnByOthers, false) }
            return values
        }
    }
#endif
