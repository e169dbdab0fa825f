// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import Testing
import VideoToolbox

/// Keys in one dictionary, and values that are read back.
@Suite struct PropertyTests {
    private static func session() throws -> VTCompressionSession {
        var session: VTCompressionSession?
        VTCompressionSessionCreate(
            allocator: nil, width: 320, height: 192, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
            compressionSessionOut: &session)
        return try #require(session)
    }

    /// The value of a key, of which the caller of C's function owns one reference.
    private static func copy(_ key: CFString, _ session: VTCompressionSession) -> AnyObject? {
        var value: Unmanaged<AnyObject>?
        let status = withUnsafeMutablePointer(to: &value) {
            VTSessionCopyProperty(session, key: key, allocator: nil, valueOut: $0)
        }
        return status == noErr ? value?.takeRetainedValue() : nil
    }

    @Test("all keys of a dictionary are set, and the first error is the answer")
    func firstError() throws {
        let session = try Self.session()
        let keys: [CFString: Any] = [
            "AKeyThatNobodyHas" as CFString: 1, kVTCompressionPropertyKey_AverageBitRate: 512_000,
            kVTCompressionPropertyKey_RealTime: true, kVTCompressionPropertyKey_MaxKeyFrameInterval: 48,
            kVTCompressionPropertyKey_ExpectedFrameRate: 24.0,
        ]
        #expect(VTSessionSetProperties(session, propertyDictionary: keys as CFDictionary) == -12900)
        #expect((Self.copy(kVTCompressionPropertyKey_AverageBitRate, session) as? NSNumber)?.intValue == 512_000)
        #expect((Self.copy(kVTCompressionPropertyKey_MaxKeyFrameInterval, session) as? NSNumber)?.intValue == 48)
        #expect((Self.copy(kVTCompressionPropertyKey_ExpectedFrameRate, session) as? NSNumber)?.doubleValue == 24)
    }

    @Test("a value that is copied belongs to the caller")
    func ownership() throws {
        let session = try Self.session()
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_ExpectedDuration, value: 12.5 as CFNumber)
        // A reference too few would free what the session holds.
        for _ in 0..<1000 {
            #expect(Self.copy(kVTCompressionPropertyKey_RealTime, session) === kCFBooleanTrue)
            #expect((Self.copy(kVTCompressionPropertyKey_ExpectedDuration, session) as? NSNumber)?.doubleValue == 12.5)
        }
    }

    @Test("unknown keys, read-only keys and values of another kind have their statuses")
    func statuses() throws {
        let session = try Self.session()
        func status(_ key: CFString, _ value: Any?) -> OSStatus {
            VTSessionSetProperty(session, key: key, value: value as AnyObject?)
        }
        #expect(status("AKeyThatNobodyHas" as CFString, 1) == -12900)
        #expect(status(kVTCompressionPropertyKey_NumberOfPendingFrames, 1) == -12901)
        #expect(status(kVTCompressionPropertyKey_AverageBitRate, "fast") == -12902)
        #expect(status(kVTCompressionPropertyKey_AverageBitRate, -1) == -12902)
        #expect(status(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_HEVC_Main_AutoLevel) == -12902)
        #expect(status(kVTCompressionPropertyKey_DataRateLimits, [1000]) == -12902)
        #expect(status(kVTCompressionPropertyKey_AverageBitRate, 640_000) == noErr)
        VTCompressionSessionInvalidate(session)
        #expect(status(kVTCompressionPropertyKey_AverageBitRate, 640_000) == -12903)
    }
}
