// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Foundation
    import TestSupport
    import Testing

    /// Sessions made with EnableLowLatencyRateControl.
    @Suite struct LowLatencyTests {
        private func encoding(
            _ codec: CMVideoCodecType = kCMVideoCodecType_H264, _ width: Int32 = 176, _ height: Int32 = 144,
            isOn: Bool = true
        ) throws -> Encoding {
            let key = kVTVideoEncoderSpecification_EnableLowLatencyRateControl
            let specification = NSDictionary(object: isOn as NSNumber, forKey: key)
            return try Encoding(codec, width, height, specification: specification)
        }

        private func number(_ key: CFString, _ encoding: Encoding) -> Int? {
            (encoding.copy(key).value as? NSNumber)?.intValue
        }

        @Test("what it sets is read before and after the encoder opens, and nil sets it again")
        func values() throws {
            let keys: [(key: CFString, value: Int, other: CFTypeRef)] = [
                (kVTCompressionPropertyKey_RealTime, 1, kCFBooleanFalse),
                (kVTCompressionPropertyKey_MaxFrameDelayCount, 0, 3 as NSNumber),
                (kVTCompressionPropertyKey_AllowFrameReordering, 0, kCFBooleanTrue),
                (kVTCompressionPropertyKey_MaxKeyFrameInterval, 1 << 30, 30 as NSNumber),
            ]
            for codec in [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC] {
                let encoding = try encoding(codec)
                for (key, value, other) in keys {
                    #expect(number(key, encoding) == value, "\(key)")
                    encoding.set(key, other)
                    encoding.set(key, nil)
                    #expect(number(key, encoding) == value, "\(key)")
                }
                #expect(VTCompressionSessionPrepareToEncodeFrames(encoding.session) == noErr)
                for (key, value, _) in keys { #expect(number(key, encoding) == value, "\(key), open") }
            }
            let plain = try encoding(isOn: false)
            #expect(plain.copy(kVTCompressionPropertyKey_RealTime).value == nil)
            #expect(number(kVTCompressionPropertyKey_MaxFrameDelayCount, plain) == -1)
        }

        @Test("each frame of 1080p60 comes out before the next is given")
        func nothingWaits() throws {
            let encoding = try encoding(kCMVideoCodecType_H264, 1920, 1080)
            encoding.set(kVTCompressionPropertyKey_ExpectedFrameRate, 60 as NSNumber)
            for number in 0..<3 {
                #expect(encoding.encode(try frame(number, 1920, 1080), at: time(number)) == noErr)
                for _ in 0..<20_000 where encoding.output.all.count <= number { usleep(1000) }
                #expect(encoding.output.all.count == number + 1)
            }
        }
    }
#endif
