// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import ParameterSets
    import TestSupport
    import Testing

    /// Keys that are set between frames.
    @Suite struct LiveChangeTests {
        @Test(
            "AllowFrameReordering tells whether frames are reordered, where nobody set it and where somebody did",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC], [nil, true] as [Bool?])
        func reorderingInForce(codec: CMVideoCodecType, asked: Bool?) throws {
            let encoding = try Encoding(codec)
            let key = kVTCompressionPropertyKey_AllowFrameReordering
            if let asked { encoding.set(key, asked as CFTypeRef) }
            func value() -> Bool? { (encoding.copy(key).value as? NSNumber)?.boolValue }
            #expect(value() == true)
            for (round, isRealTime) in [true, false, true].enumerated() {
                encoding.set(kVTCompressionPropertyKey_RealTime, isRealTime as CFTypeRef)
                for number in 8 * round..<8 * round + 8 {
                    #expect(encoding.encode(try frame(number), at: time(number)) == noErr)
                }
                #expect(encoding.complete() == noErr)
                #expect(value() == !isRealTime)
                let samples = encoding.output.samples.suffix(8)
                let times = samples.map(\.presentationTimeStamp)
                #expect((times != times.sorted()) == !isRealTime)
            }
        }

        private func syncs(_ encoding: Encoding) -> [Int] {
            encoding.output.samples.indices.filter { encoding.output.samples[$0].isSync }
        }

        @Test("a bit rate is followed without a key frame, and values set again change nothing", .requiresLibAV)
        func bitRate() throws {
            let encoding = try Encoding(kCMVideoCodecType_H264, 320, 240)
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(kVTCompressionPropertyKey_AverageBitRate, 1_500_000 as CFTypeRef)
            encoding.set(kVTCompressionPropertyKey_MaxKeyFrameInterval, 1000 as CFTypeRef)
            encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_High_AutoLevel)
            var generator = SeededGenerator(seed: 7)
            for number in 0..<150 {
                if number == 75 { encoding.set(kVTCompressionPropertyKey_AverageBitRate, 200_000 as CFTypeRef) }
                if number % 10 == 5 {
                    encoding.set(kVTCompressionPropertyKey_MaxKeyFrameInterval, 1000 as CFTypeRef)
                    encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_High_AutoLevel)
                    encoding.set(kVTCompressionPropertyKey_RealTime, true as CFTypeRef)
                }
                let buffer = try frame(number, 320, 240)
                let base = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
                for offset in stride(from: 0, to: 240 * 320, by: 5) {
                    base.storeBytes(
                        of: UInt8.random(in: 40...200, using: &generator), toByteOffset: offset, as: UInt8.self)
                }
                #expect(encoding.encode(buffer, at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            #expect(syncs(encoding) == [0])
            let sizes = encoding.output.samples.map(\.bytes.count)
            let (before, after) = (sizes[30..<75].reduce(0, +), sizes[105..<150].reduce(0, +))
            #expect(after * 3 < before)
            #expect(try decode(encoding.output.samples).count == 150)
        }

        @Test("a constant bit rate is filled up, also after a change, without a key frame", .requiresLibAV)
        func constantBitRate() throws {
            let encoding = try Encoding(kCMVideoCodecType_H264, 320, 240)
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(kVTCompressionPropertyKey_ConstantBitRate, 1_500_000 as CFTypeRef)
            encoding.set(kVTCompressionPropertyKey_VBVBufferDuration, 0.1 as CFTypeRef)
            for number in 0..<180 {
                if number == 90 { encoding.set(kVTCompressionPropertyKey_ConstantBitRate, 800_000 as CFTypeRef) }
                #expect(encoding.encode(try frame(number, 320, 240), at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            #expect(syncs(encoding) == [0])
            let sizes = encoding.output.samples.map(\.bytes.count)
            // In 50 pictures, which take 5/3 s.
            let bytes = [20..<70, 130..<180].map { sizes[$0].reduce(0, +) }
            let rates = bytes.map { Double($0) * 8 * 3 / 5 }
            #expect(abs(rates[0] / 1_500_000 - 1) < 0.05 && abs(rates[1] / 800_000 - 1) < 0.05, "\(rates)")
            #expect(try decode(encoding.output.samples).count == 180)
        }

        @Test(
            "a profile that changes in mid-stream takes a key frame and another description, times go on",
            .requiresLibAV)
        func profile() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_High_AutoLevel)
            for number in 0..<30 {
                if number == 12 {
                    encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Baseline_AutoLevel)
                }
                #expect(encoding.encode(try frame(number), at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            #expect(syncs(encoding) == [0, 12])
            let samples = encoding.output.samples
            #expect(samples[11].formatDescription != samples[12].formatDescription)
            #expect(samples[12].formatDescription == samples[29].formatDescription)
            let profiles = [11, 12].map { samples[$0].formatDescription?.parameterSets[0][1] }
            #expect(profiles == [100, 66])
            #expect(samples.map(\.presentationTimeStamp) == (0..<30).map(time))
            #expect(try decode(samples).count == 30)
        }

        @Test("a hint about the number of frames that comes in mid-stream is kept, and changes nothing in the stream")
        func sourceFrameCount() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(kVTCompressionPropertyKey_SourceFrameCount, 100 as CFTypeRef)
            for number in 0..<12 {
                if number == 4 { encoding.set(kVTCompressionPropertyKey_SourceFrameCount, 12 as CFTypeRef) }
                if number == 8 { encoding.set(kVTCompressionPropertyKey_SourceFrameCount, nil) }
                #expect(encoding.encode(try frame(number), at: time(number)) == noErr)
                let expected = number < 4 ? 100 : number < 8 ? 12 : 0
                #expect(encoding.copy(kVTCompressionPropertyKey_SourceFrameCount).value as? Int == expected)
            }
            #expect(encoding.complete() == noErr)
            #expect(syncs(encoding) == [0])
        }

        @Test("all keys between two frames are one change: one restart, and none where the last one undoes it")
        func oneChange() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            for number in 0..<20 {
                if number == 5 {
                    encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Main_AutoLevel)
                    encoding.set(kVTCompressionPropertyKey_H264EntropyMode, kVTH264EntropyMode_CAVLC)
                    encoding.set(kVTCompressionPropertyKey_MaxKeyFrameInterval, 500 as CFTypeRef)
                }
                if number == 10 {
                    encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_High_AutoLevel)
                    encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Main_AutoLevel)
                }
                #expect(encoding.encode(try frame(number), at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            #expect(syncs(encoding) == [0, 5])
        }

        @Test(
            "keys that conflict give way to each other when the encoder opens, in any order", arguments: [false, true])
        func conflicts(isReversed: Bool) throws {
            let keys: [(CFString, CFTypeRef)] = [
                (kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanTrue),
                (kVTCompressionPropertyKey_H264EntropyMode, kVTH264EntropyMode_CABAC),
                (kVTCompressionPropertyKey_Quality, 0.5 as CFTypeRef),
                (kVTCompressionPropertyKey_AverageBitRate, 300_000 as CFTypeRef),
                (kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Baseline_3_1),
            ]
            let encoding = try Encoding()
            for (key, value) in isReversed ? keys.reversed() : keys { encoding.set(key, value) }
            #expect(VTCompressionSessionPrepareToEncodeFrames(encoding.session) == noErr)
            for number in 0..<10 { #expect(encoding.encode(try frame(number), at: time(number)) == noErr) }
            #expect(encoding.complete() == noErr)
            let sps = try H264SPS(
                nalUnit: [UInt8](encoding.output.samples[0].formatDescription?.parameterSets[0] ?? Data()))
            #expect(sps.profileIdc == 66 && sps.levelIdc == 31)
            #expect(encoding.copy(kVTCompressionPropertyKey_AverageBitRate).value as? Int == 300_000)
        }
    }
#endif
