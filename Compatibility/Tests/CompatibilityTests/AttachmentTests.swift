// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo
import Foundation
import Testing
import VideoToolbox

/// Attachments of encoded samples by pointer and by Swift's overlay.
@Suite struct AttachmentTests {
    private static func samples(_ count: Int) throws -> [CMSampleBuffer] {
        var created: VTCompressionSession?
        VTCompressionSessionCreate(
            allocator: nil, width: 320, height: 192, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
            compressionSessionOut: &created)
        let session = try #require(created)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
        let samples = Collected<Held<CMSampleBuffer>>()
        for index in 0..<count {
            let picture = try #require(
                TestPictures.make(
                    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 192, index: index))
            VTCompressionSessionEncodeFrame(
                session, imageBuffer: picture, presentationTimeStamp: CMTime(value: Int64(index), timescale: 30),
                duration: .invalid, frameProperties: nil, infoFlagsOut: nil
            ) { _, _, sample in if let sample { samples.append(Held(object: sample)) } }
        }
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        return samples.elements.map(\.object)
    }

    private static func attachments(_ sample: CMSampleBuffer) throws -> UnsafeRawPointer {
        let list = try #require(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true))
        #expect(CFArrayGetCount(list) == 1)
        return CFArrayGetValueAtIndex(list, 0)
    }

    private static func value(_ key: CFString, _ attachments: UnsafeRawPointer) -> AnyObject? {
        let dictionary: CFDictionary = Unmanaged.fromOpaque(attachments).takeUnretainedValue()
        let pointer = CFDictionaryGetValue(dictionary, Unmanaged.passUnretained(key).toOpaque())
        return pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    @Test("the address of a sample's attachments stays, and is that of the dictionary which the overlay changes")
    func addresses() throws {
        let samples = try Self.samples(10)
        let pointers = try samples.map(Self.attachments)
        // Memory that a dangling pointer would point to is used again.
        let others = (0..<1000).map { NSMutableDictionary(dictionary: ["NotSync": $0]) }
        #expect(try samples.map(Self.attachments) == pointers)
        #expect(Set(pointers).count == samples.count && others.count == 1000)
        for (sample, pointer) in zip(samples, pointers) {
            #expect(Self.value(kCMSampleAttachmentKey_DisplayImmediately, pointer) == nil)
            sample.sampleAttachments[0][.displayImmediately] = true
            #expect(Self.value(kCMSampleAttachmentKey_DisplayImmediately, pointer) === kCFBooleanTrue)
        }
    }

    @Test("a sync sample has no NotSync, and DependsOnOthers is one of the two booleans by identity")
    func values() throws {
        let samples = try Self.samples(10)
        for (index, sample) in samples.enumerated() {
            let pointer = try Self.attachments(sample)
            let notSync = Self.value(kCMSampleAttachmentKey_NotSync, pointer)
            #expect(index == 0 ? notSync == nil : notSync === kCFBooleanTrue)
            let depends = Self.value(kCMSampleAttachmentKey_DependsOnOthers, pointer)
            #expect(depends === (index == 0 ? kCFBooleanFalse : kCFBooleanTrue))
        }
    }

    @Test("parameter sets are in the description alone")
    func parameterSets() throws {
        for sample in try Self.samples(3) {
            let data = try #require(try sample.dataBuffer?.dataBytes())
            let types = ElementaryStream.units(of: data).map { $0[0] & 31 }
            // One slice, and neither SEI nor parameter sets.
            #expect(types == [types.contains(5) ? 5 : 1])
            #expect(sample.formatDescription?.parameterSets.count == 2)
        }
    }
}
