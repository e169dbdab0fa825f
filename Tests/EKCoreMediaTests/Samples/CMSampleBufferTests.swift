// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import Foundation
    import Testing

    @Suite struct CMSampleBufferTests {
        private func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 30) }

        private func samples(_ count: Int, sizes: [Int] = [4], timings: Int = 1, bytes: Int = 64) -> (
            OSStatus, CMSampleBuffer?
        ) {
            var (block, buffer) = (CMBlockBuffer?.none, CMSampleBuffer?.none)
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: bytes, blockAllocator: nil, customBlockSource: nil,
                offsetToData: 0, dataLength: bytes, flags: 0, blockBufferOut: &block)
            let times = (0..<Int64(max(timings, 0))).map { index in
                CMSampleTimingInfo(
                    duration: time(1), presentationTimeStamp: time(10 + index), decodeTimeStamp: time(8 + index))
            }
            let status = CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: block, formatDescription: nil, sampleCount: count,
                sampleTimingEntryCount: timings, sampleTimingArray: times, sampleSizeEntryCount: sizes.count,
                sampleSizeArray: sizes, sampleBufferOut: &buffer)
            return (status, buffer)
        }

        @Test("numbers of entries and sizes that cannot be are refused")
        func refusals() {
            let rows: [(Int, [Int], Int, Int, OSStatus)] = [
                (-1, [], 0, 64, kCMSampleBufferError_InvalidEntryCount),
                (3, [4, 4], 1, 64, kCMSampleBufferError_InvalidEntryCount),
                (3, [4], 2, 64, kCMSampleBufferError_InvalidEntryCount),
                (3, [4], -1, 64, kCMSampleBufferError_InvalidEntryCount),
                (3, [4, -1, 4], 1, 64, kCMSampleBufferError_InvalidSampleData),
                (3, [40], 1, 64, kCMSampleBufferError_InvalidSampleData),
                (2, [Int.max], 1, 64, kCMSampleBufferError_InvalidSampleData),
                (2, [Int.max, 1], 1, 64, kCMSampleBufferError_InvalidSampleData),
                (1, [65], 1, 64, kCMSampleBufferError_InvalidSampleData),
            ]
            for (count, sizes, timings, bytes, expected) in rows {
                #expect(samples(count, sizes: sizes, timings: timings, bytes: bytes) == (expected, nil))
            }
            var buffer: CMSampleBuffer?
            let status = CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: nil, formatDescription: nil, sampleCount: 1, sampleTimingEntryCount: 1,
                sampleTimingArray: nil, sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &buffer)
            #expect((status, buffer) == (kCMSampleBufferError_RequiredParameterMissing, nil))
        }

        @Test("times of samples: one entry that the others follow, or one each")
        func timings() throws {
            let one = try #require(samples(3).1)
            #expect(one.duration == time(3) && one.numSamples == 3 && one.totalSampleSize == 12)
            var info = CMSampleTimingInfo()
            #expect(CMSampleBufferGetSampleTimingInfo(one, at: 2, timingInfoOut: &info) == noErr)
            #expect(info.presentationTimeStamp == time(12) && info.decodeTimeStamp == time(10))
            let each = try #require(samples(3, sizes: [1, 2, 3], timings: 3).1)
            #expect(CMSampleBufferGetSampleTimingInfo(each, at: 1, timingInfoOut: &info) == noErr)
            #expect(info.presentationTimeStamp == time(11))
            #expect(CMSampleBufferGetSampleSize(each, at: 2) == 3 && CMSampleBufferGetSampleSize(each, at: 3) == 0)
            for index in [-1, 3] {
                #expect(
                    CMSampleBufferGetSampleTimingInfo(each, at: index, timingInfoOut: &info)
                        == kCMSampleBufferError_SampleIndexOutOfRange)
            }
            var needed = 0
            #expect(
                CMSampleBufferGetSampleTimingInfoArray(
                    each, entryCount: 2, arrayToFill: &info, entriesNeededOut: &needed)
                    == kCMSampleBufferError_ArrayTooSmall)
            #expect(needed == 3)
            let none = try #require(samples(1, timings: 0).1)
            #expect(none.presentationTimeStamp == .invalid && none.duration == .invalid)
            #expect(
                CMSampleBufferGetSampleTimingInfo(none, at: 0, timingInfoOut: &info)
                    == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        }

        @Test("attachments are one list of the same dictionaries by pointer and by Swift's names")
        func attachments() throws {
            let buffer = try #require(samples(2).1)
            #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) == nil)
            let list = try #require(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true))
            let first = CFArrayGetValueAtIndex(list, 0)
            let again = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
            #expect(CFArrayGetValueAtIndex(again, 0) == first)
            let dictionary = unsafeBitCast(first, to: CFMutableDictionary.self)
            let key = unsafeBitCast(kCMSampleAttachmentKey_NotSync, to: UnsafeRawPointer.self)
            #expect(!CFDictionaryContainsKey(dictionary, key))
            CFDictionarySetValue(dictionary, key, unsafeBitCast(kCFBooleanTrue, to: UnsafeRawPointer.self))
            #expect(buffer.sampleAttachments[0][.notSync] as? Bool == true)
            #expect(buffer.sampleAttachments[1][.notSync] == nil)
            buffer.sampleAttachments[0][.notSync] = nil
            #expect(!CFDictionaryContainsKey(dictionary, key))
            buffer.sampleAttachments[1][.dependsOnOthers] = false
            let second = unsafeBitCast(CFArrayGetValueAtIndex(list, 1), to: CFDictionary.self)
            let value = CFDictionaryGetValue(
                second, unsafeBitCast(kCMSampleAttachmentKey_DependsOnOthers, to: UnsafeRawPointer.self))
            #expect(value == unsafeBitCast(kCFBooleanFalse, to: UnsafeRawPointer.self))
        }

        @Test("pointers of attachments stay as long as the sample, whatever is attached meanwhile")
        func stability() throws {
            let buffer = try #require(samples(1).1)
            let list = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true)
            let pointer = CFArrayGetValueAtIndex(list, 0)
            for index in 0..<1000 {
                buffer.sampleAttachments[0][.init(rawValue: "k\(index)")] = index
                CMSetAttachment(buffer, key: "a\(index)" as CFString, value: index as CFTypeRef, attachmentMode: 0)
            }
            let now = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
            #expect(CFArrayGetValueAtIndex(now, 0) == pointer)
            #expect(unsafeBitCast(pointer, to: CFDictionary.self).count == 1000)
        }

        @Test("copies share bytes and have attachments of their own")
        func copies() throws {
            let buffer = try #require(samples(1).1)
            buffer.sampleAttachments[0][.notSync] = true
            CMSetAttachment(buffer, key: "kept" as CFString, value: 1 as CFTypeRef, attachmentMode: 1)
            CMSetAttachment(buffer, key: "lost" as CFString, value: 1 as CFTypeRef, attachmentMode: 0)
            var copy: CMSampleBuffer?
            var times = CMSampleTimingInfo(
                duration: time(2), presentationTimeStamp: time(90), decodeTimeStamp: .invalid)
            #expect(
                CMSampleBufferCreateCopyWithNewTiming(
                    allocator: nil, sampleBuffer: buffer, sampleTimingEntryCount: 1, sampleTimingArray: &times,
                    sampleBufferOut: &copy) == noErr)
            let made = try #require(copy)
            #expect(made.presentationTimeStamp == time(90) && buffer.presentationTimeStamp == time(10))
            #expect(made.dataBuffer == buffer.dataBuffer)
            made.sampleAttachments[0][.notSync] = nil
            #expect(buffer.sampleAttachments[0][.notSync] as? Bool == true)
            #expect(CMGetAttachment(made, key: "kept" as CFString, attachmentModeOut: nil) != nil)
            #expect(CMGetAttachment(made, key: "lost" as CFString, attachmentModeOut: nil) == nil)
        }

        @Test("a picture is one sample with its description")
        func pictures() throws {
            var (picture, description, buffer) = (CVPixelBuffer?.none, CMFormatDescription?.none, CMSampleBuffer?.none)
            CVPixelBufferCreate(nil, 64, 32, kCVPixelFormatType_32BGRA, nil, &picture)
            let image = try #require(picture)
            CMVideoFormatDescriptionCreateForImageBuffer(
                allocator: nil, imageBuffer: image, formatDescriptionOut: &description)
            let format = try #require(description)
            #expect(format.mediaSubType.rawValue == kCVPixelFormatType_32BGRA && format.dimensions.height == 32)
            var times = CMSampleTimingInfo()
            #expect(
                CMSampleBufferCreateReadyWithImageBuffer(
                    allocator: nil, imageBuffer: image, formatDescription: format, sampleTiming: &times,
                    sampleBufferOut: &buffer) == noErr)
            #expect(buffer?.imageBuffer == image && buffer?.dataBuffer == nil)
            CVPixelBufferCreate(nil, 32, 32, kCVPixelFormatType_32BGRA, nil, &picture)
            #expect(
                CMSampleBufferCreateReadyWithImageBuffer(
                    allocator: nil, imageBuffer: try #require(picture), formatDescription: format, sampleTiming: &times,
                    sampleBufferOut: &buffer) == kCMSampleBufferError_InvalidMediaFormat)
            #expect(buffer == nil)
        }

        @Test("a buffer is invalidated once, and not copied afterwards")
        func invalidation() throws {
            let buffer = try #require(samples(1).1)
            #expect(CMSampleBufferIsValid(buffer) && CMSampleBufferInvalidate(buffer) == noErr)
            #expect(CMSampleBufferInvalidate(buffer) == kCMSampleBufferError_Invalidated && !buffer.isValid)
            var copy: CMSampleBuffer?
            let status = CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: buffer, sampleBufferOut: &copy)
            #expect((status, copy) == (kCMSampleBufferError_Invalidated, nil))
        }
    }
#endif
