// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreVideo

    /// Would make a sample buffer's bytes ready; buffers that need one are refused.
    public typealias CMSampleBufferMakeDataReadyCallback = (
        _ sbuf: CMSampleBuffer, _ makeDataReadyRefcon: UnsafeMutableRawPointer?
    ) -> OSStatus

    /// Makes samples of bytes.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - dataBuffer: The bytes of all samples, one after the other; nil for none yet.
    ///   - dataReady: Whether the bytes are there.
    ///   - makeDataReadyCallback: nil; others are refused.
    ///   - refcon: Ignored.
    ///   - formatDescription: What is to be known of the samples; nil for nothing.
    ///   - sampleCount: How many, 0 or more.
    ///   - sampleTimingEntryCount: 0 for no times, 1 for one that the others follow by its duration, or as many as
    ///     samples.
    ///   - sampleTimingArray: The times.
    ///   - sampleSizeEntryCount: 0 for no sizes, 1 for one that all have, or as many as samples.
    ///   - sampleSizeArray: Numbers of bytes, 0 or more.
    ///   - sampleBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: -12731 where an array is missing, -12738 for another number of entries, -12733 for a callback, -12742
    ///   for sizes that are negative or more than the bytes.
    @discardableResult
    public func CMSampleBufferCreate(
        allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
        makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
        formatDescription: CMFormatDescription?, sampleCount: Int, sampleTimingEntryCount: Int,
        sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: Int,
        sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
    ) -> OSStatus {
        sampleBufferOut.pointee = nil
        guard makeDataReadyCallback == nil else { return kCMSampleBufferError_BufferNotReady }
        func isLegal(_ entries: Int) -> Bool { [0, 1, sampleCount].contains(entries) }
        guard sampleCount >= 0, isLegal(sampleTimingEntryCount), isLegal(sampleSizeEntryCount) else {
            return kCMSampleBufferError_InvalidEntryCount
        }
        guard sampleTimingEntryCount == 0 || sampleTimingArray != nil,
            sampleSizeEntryCount == 0 || sampleSizeArray != nil
        else { return kCMSampleBufferError_RequiredParameterMissing }
        let sizes = [Int](UnsafeBufferPointer(start: sampleSizeArray, count: sampleSizeEntryCount))
        var total = 0
        for size in sampleSizeEntryCount == 1 ? [Int](repeating: sizes[0], count: 1) : sizes {
            let (sum, isTooLarge) = total.addingReportingOverflow(size)
            guard size >= 0, !isTooLarge else { return kCMSampleBufferError_InvalidSampleData }
            total = sum
        }
        if sampleSizeEntryCount == 1 {
            let (product, isTooLarge) = total.multipliedReportingOverflow(by: sampleCount)
            guard !isTooLarge else { return kCMSampleBufferError_InvalidSampleData }
            total = product
        }
        if let dataBuffer, total > dataBuffer.length { return kCMSampleBufferError_InvalidSampleData }
        sampleBufferOut.pointee = CMSampleBuffer(
            data: dataBuffer, image: nil, isReady: dataReady, description: formatDescription, count: sampleCount,
            timings: [CMSampleTimingInfo](
                UnsafeBufferPointer(start: sampleTimingArray, count: sampleTimingEntryCount)), sizes: sizes)
        return noErr
    }

    /// Makes samples of bytes that are there.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - dataBuffer: The bytes of all samples; nil for none.
    ///   - formatDescription: What is to be known of the samples; nil for nothing.
    ///   - sampleCount: How many, 0 or more.
    ///   - sampleTimingEntryCount: 0, 1 or as many as samples.
    ///   - sampleTimingArray: The times.
    ///   - sampleSizeEntryCount: 0, 1 or as many as samples.
    ///   - sampleSizeArray: Numbers of bytes, 0 or more.
    ///   - sampleBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: As for `CMSampleBufferCreate`.
    @discardableResult
    public func CMSampleBufferCreateReady(
        allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, sampleCount: Int,
        sampleTimingEntryCount: Int, sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: Int,
        sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
    ) -> OSStatus {
        CMSampleBufferCreate(
            allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
            formatDescription: formatDescription, sampleCount: sampleCount,
            sampleTimingEntryCount: sampleTimingEntryCount, sampleTimingArray: sampleTimingArray,
            sampleSizeEntryCount: sampleSizeEntryCount, sampleSizeArray: sampleSizeArray,
            sampleBufferOut: sampleBufferOut)
    }

    /// Makes one sample of a picture.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - imageBuffer: The picture, which the sample buffer holds.
    ///   - dataReady: Whether the picture is there.
    ///   - makeDataReadyCallback: nil; others are refused.
    ///   - refcon: Ignored.
    ///   - formatDescription: That of the picture.
    ///   - sampleTiming: Its times.
    ///   - sampleBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: -12733 for a callback, -12743 for a description of other pictures.
    @discardableResult
    public func CMSampleBufferCreateForImageBuffer(
        allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
        makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
        formatDescription: CMFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
        sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
    ) -> OSStatus {
        sampleBufferOut.pointee = nil
        guard makeDataReadyCallback == nil else { return kCMSampleBufferError_BufferNotReady }
        guard CMVideoFormatDescriptionMatchesImageBuffer(formatDescription, imageBuffer: imageBuffer) else {
            return kCMSampleBufferError_InvalidMediaFormat
        }
        sampleBufferOut.pointee = CMSampleBuffer(
            data: nil, image: imageBuffer, isReady: dataReady, description: formatDescription, count: 1,
            timings: [sampleTiming.pointee], sizes: [])
        return noErr
    }

    /// Makes one sample of a picture that is there.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - imageBuffer: The picture, which the sample buffer holds.
    ///   - formatDescription: That of the picture.
    ///   - sampleTiming: Its times.
    ///   - sampleBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: As for `CMSampleBufferCreateForImageBuffer`.
    @discardableResult
    public func CMSampleBufferCreateReadyWithImageBuffer(
        allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMFormatDescription,
        sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
    ) -> OSStatus {
        CMSampleBufferCreateForImageBuffer(
            allocator: allocator, imageBuffer: imageBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
            formatDescription: formatDescription, sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut)
    }

    /// Makes a buffer of the same bytes or picture and description, with the attachments that propagate.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - sampleBuffer: The other buffer; the bytes are shared, the samples' attachments are copied.
    ///   - sampleBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: -12744 for a buffer that was invalidated.
    @discardableResult
    public func CMSampleBufferCreateCopy(
        allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
    ) -> OSStatus { copy(sampleBuffer, sampleBuffer.timings, sampleBufferOut) }

    /// Makes a buffer of the same bytes or picture and description with other times, and with the attachments that
    /// propagate.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - originalSBuf: The other buffer; the bytes are shared, the samples' attachments are copied.
    ///   - sampleTimingEntryCount: 0, 1 or as many as samples.
    ///   - sampleTimingArray: The times.
    ///   - sampleBufferOut: Takes the buffer, which the caller owns; nil where the call fails.
    /// - Returns: -12744 for a buffer that was invalidated, -12738 for another number of entries, -12731 without times.
    @discardableResult
    public func CMSampleBufferCreateCopyWithNewTiming(
        allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer, sampleTimingEntryCount: Int,
        sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
    ) -> OSStatus {
        sampleBufferOut.pointee = nil
        guard [0, 1, originalSBuf.count].contains(sampleTimingEntryCount) else {
            return kCMSampleBufferError_InvalidEntryCount
        }
        guard sampleTimingEntryCount == 0 || sampleTimingArray != nil else {
            return kCMSampleBufferError_RequiredParameterMissing
        }
        let times = [CMSampleTimingInfo](UnsafeBufferPointer(start: sampleTimingArray, count: sampleTimingEntryCount))
        return copy(originalSBuf, times, sampleBufferOut)
    }

    private func copy(
        _ buffer: CMSampleBuffer, _ timings: [CMSampleTimingInfo], _ out: UnsafeMutablePointer<CMSampleBuffer?>
    ) -> OSStatus {
        out.pointee = nil
        guard buffer.isValid else { return kCMSampleBufferError_Invalidated }
        let copy = CMSampleBuffer(
            data: buffer.data, image: buffer.imageBuffer_, isReady: buffer.isReady, description: buffer.description,
            count: buffer.count, timings: timings, sizes: buffer.sizes)
        copy.takeAttachments(of: buffer)
        out.pointee = copy
        return noErr
    }
#endif
