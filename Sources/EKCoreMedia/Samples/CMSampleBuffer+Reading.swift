// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreVideo

    /// The bytes; nil of a picture.
    public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.data }

    /// Gives a buffer without bytes its bytes.
    ///
    /// - Parameters:
    ///   - sbuf: The buffer.
    ///   - dataBuffer: The bytes of all samples.
    /// - Returns: -12732 where there are some already, -12741 of a picture, -12742 where the sizes are more.
    @discardableResult
    public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer) -> OSStatus {
        guard sbuf.imageBuffer_ == nil else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
        guard sbuf.data == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
        guard CMSampleBufferGetTotalSampleSize(sbuf) <= dataBuffer.length else {
            return kCMSampleBufferError_InvalidSampleData
        }
        sbuf.data = dataBuffer
        return noErr
    }

    /// The picture; nil of bytes.
    public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer_ }

    /// What is to be known of the samples; nil for nothing.
    public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? { sbuf.description }

    /// Number of samples.
    public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> Int { sbuf.count }

    /// When the first sample is shown; invalid where no times are known.
    public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
        sbuf.timings.map(\.presentationTimeStamp).min() ?? .invalid
    }

    /// When the first sample is decoded; invalid where it is decoded in the order in which it is shown.
    public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
        sbuf.timings.first?.decodeTimeStamp ?? .invalid
    }

    /// How long all samples are shown; invalid where no times are known.
    public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime {
        guard let first = sbuf.timings.first else { return .invalid }
        // Of one sample, bit for bit, whatever it is.
        if sbuf.count == 1 { return first.duration }
        if sbuf.timings.count == 1 {
            return CMTimeMultiply(first.duration, multiplier: Int32(clamping: sbuf.count))
        }
        return sbuf.timings.dropFirst().reduce(first.duration) { $0 + $1.duration }
    }

    /// When the buffer is to be shown: what was set, else when the first sample is shown.
    public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
        sbuf.outputTime ?? CMSampleBufferGetPresentationTimeStamp(sbuf)
    }

    /// Says when the buffer is to be shown.
    ///
    /// - Parameters:
    ///   - sbuf: The buffer.
    ///   - outputPresentationTimeStamp: The time; invalid for the samples' own.
    /// - Returns: 0.
    @discardableResult
    public func CMSampleBufferSetOutputPresentationTimeStamp(
        _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
    ) -> OSStatus {
        sbuf.outputTime = outputPresentationTimeStamp.isValid ? outputPresentationTimeStamp : nil
        return noErr
    }

    /// The times of a sample.
    ///
    /// - Parameters:
    ///   - sbuf: The buffer.
    ///   - sampleIndex: 0 to the number of samples less one.
    ///   - timingInfoOut: Takes the times.
    /// - Returns: -12734 for another index, -12736 where no times are known.
    @discardableResult
    public func CMSampleBufferGetSampleTimingInfo(
        _ sbuf: CMSampleBuffer, at sampleIndex: Int, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
    ) -> OSStatus {
        guard 0..<sbuf.count ~= sampleIndex else { return kCMSampleBufferError_SampleIndexOutOfRange }
        guard let first = sbuf.timings.first else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
        if sbuf.timings.count > 1 {
            timingInfoOut.pointee = sbuf.timings[sampleIndex]
            return noErr
        }
        let offset = CMTimeMultiply(first.duration, multiplier: Int32(clamping: sampleIndex))
        timingInfoOut.pointee = first
        guard sampleIndex > 0 else { return noErr }
        timingInfoOut.pointee.presentationTimeStamp = first.presentationTimeStamp + offset
        timingInfoOut.pointee.decodeTimeStamp = first.decodeTimeStamp + offset
        return noErr
    }

    /// The times as they were given: none, one, or one for each sample.
    ///
    /// - Parameters:
    ///   - sbuf: The buffer.
    ///   - entryCount: Room in the array.
    ///   - arrayToFill: Takes the times; nil asks only how many there are.
    ///   - entriesNeededOut: Takes how many there are; nil asks for nothing.
    /// - Returns: -12736 where no times are known, -12737 where the room is too small.
    @discardableResult
    public func CMSampleBufferGetSampleTimingInfoArray(
        _ sbuf: CMSampleBuffer, entryCount: Int, arrayToFill: UnsafeMutablePointer<CMSampleTimingInfo>?,
        entriesNeededOut: UnsafeMutablePointer<Int>?
    ) -> OSStatus {
        entriesNeededOut?.pointee = sbuf.timings.count
        guard !sbuf.timings.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
        guard let arrayToFill else { return noErr }
        guard entryCount >= sbuf.timings.count else { return kCMSampleBufferError_ArrayTooSmall }
        for (index, timing) in sbuf.timings.enumerated() { arrayToFill[index] = timing }
        return noErr
    }

    /// Bytes of a sample; 0 where there is no such sample, or no sizes are known.
    public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: Int) -> Int {
        guard 0..<sbuf.count ~= sampleIndex, let first = sbuf.sizes.first else { return 0 }
        return sbuf.sizes.count == 1 ? first : sbuf.sizes[sampleIndex]
    }

    /// Bytes of all samples; 0 where no sizes are known.
    public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
        // The sum was checked when the buffer was made.
        sbuf.sizes.count == 1 ? sbuf.sizes[0] * sbuf.count : sbuf.sizes.reduce(0, +)
    }

    /// Whether the buffer was not invalidated.
    public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

    /// Marks a buffer as used up; its bytes stay.
    ///
    /// - Parameter sbuf: The buffer.
    /// - Returns: -12744 where it was already.
    @discardableResult
    public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
        sbuf.end() ? noErr : kCMSampleBufferError_Invalidated
    }

    /// Whether the bytes or the picture are there.
    public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isReady }

    /// Asks for the bytes or the picture.
    ///
    /// - Parameter sbuf: The buffer.
    /// - Returns: -12733 where they are not there.
    @discardableResult
    public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
        sbuf.isReady ? noErr : kCMSampleBufferError_BufferNotReady
    }

    /// Says that the bytes or the picture are there.
    ///
    /// - Parameter sbuf: The buffer.
    /// - Returns: 0.
    @discardableResult
    public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
        sbuf.isReady = true
        return noErr
    }

    /// The number of the type of sample buffers.
    public func CMSampleBufferGetTypeID() -> CFTypeID { CMSampleBuffer.cfTypeID }

    // MARK: - Swift's names

    extension CMSampleBuffer {
        /// The bytes; nil of a picture.
        public var dataBuffer: CMBlockBuffer? { data }
        /// The picture; nil of bytes.
        public var imageBuffer: CVImageBuffer? { imageBuffer_ }
        /// What is to be known of the samples; nil for nothing.
        public var formatDescription: CMFormatDescription? { description }
        /// Number of samples.
        public var numSamples: Int { count }
        /// When the first sample is shown.
        public var presentationTimeStamp: CMTime { CMSampleBufferGetPresentationTimeStamp(self) }
        /// When the first sample is decoded; invalid where that is the order in which it is shown.
        public var decodeTimeStamp: CMTime { CMSampleBufferGetDecodeTimeStamp(self) }
        /// How long all samples are shown.
        public var duration: CMTime { CMSampleBufferGetDuration(self) }
        /// When the buffer is to be shown.
        public var outputPresentationTimeStamp: CMTime { CMSampleBufferGetOutputPresentationTimeStamp(self) }
        /// Bytes of all samples.
        public var totalSampleSize: Int { CMSampleBufferGetTotalSampleSize(self) }
    }
#endif
