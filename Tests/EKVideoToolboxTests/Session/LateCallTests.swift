// SPDX-License-Identifier: MIT

#if os(Linux)
    import Dispatch
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Foundation
    import Glibc
    import ParameterSets
    import Synchronization
    import Testing

    /// Calls while frames are inside, or after others were refused.
    @Suite struct LateCallTests {
        @Test(
            "a description tells the color of its own parameter sets, also of frames inside when the color changes",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
        func colorOfFramesInside(codec: CMVideoCodecType) throws {
            let encoding = try Encoding(codec)
            encoding.set(kVTCompressionPropertyKey_YCbCrMatrix, kCVImageBufferYCbCrMatrix_ITU_R_601_4)
            for number in 0..<20 {
                if number == 10 {
                    encoding.set(kVTCompressionPropertyKey_YCbCrMatrix, kCVImageBufferYCbCrMatrix_ITU_R_709_2)
                }
                #expect(encoding.encode(try frame(number), at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            let told = try encoding.output.samples.map { sample in
                let description = try #require(sample.formatDescription)
                let sets = description.parameterSets.map { [UInt8]($0) }
                let type =
                    codec == kCMVideoCodecType_H264
                    ? try H264SPS(nalUnit: sets[0]).vui?.videoSignalType
                    : try HEVCSPS(nalUnit: sets[1]).vui?.videoSignalType
                #expect(type?.color?.matrix == (sample.presentationTimeStamp < time(10) ? 6 : 1))
                return [description.extensions[.yCbCrMatrix] as? String, sample.isSync ? "sync" : nil]
            }
            let expected = (0..<20).map { [$0 < 10 ? "ITU_R_601_4" : "ITU_R_709_2", $0 % 10 == 0 ? "sync" : nil] }
            #expect(told == expected)
        }

        @Test(
            "frames that were taken in real time come out, though the client set another RealTime before Invalidate",
            arguments: [kCFBooleanFalse, nil] as [CFBoolean?])
        func realTimeSetLast(value: CFBoolean?) throws {
            for _ in 0..<3 {
                let encoding = try Encoding(kCMVideoCodecType_HEVC)
                encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
                for number in 0..<6 { #expect(encoding.encode(try frame(number), at: time(number)) == noErr) }
                encoding.set(kVTCompressionPropertyKey_RealTime, value)
                VTCompressionSessionInvalidate(encoding.session)
                #expect(encoding.output.samples.count == 6)
            }
        }

        @Test("a key reads as it was set, before the next frame and after")
        func readsAsSet() throws {
            let encoding = try Encoding()
            let keys = [
                (kVTCompressionPropertyKey_AverageBitRate, [1_000_000, 400_000, 700_000]),
                (kVTCompressionPropertyKey_MaxKeyFrameInterval, [30, 20, 40]),
            ]
            for change in 0..<3 {
                for (key, values) in keys {
                    encoding.set(key, values[change] as CFTypeRef)
                    #expect(encoding.copy(key).value as? Int == values[change])
                }
                for number in 0..<3 {
                    #expect(encoding.encode(try frame(number), at: time(3 * change + number)) == noErr)
                    for (key, values) in keys { #expect(encoding.copy(key).value as? Int == values[change]) }
                }
            }
            #expect(encoding.complete() == noErr)
            for (key, values) in keys { #expect(encoding.copy(key).value as? Int == values[2]) }
            // Refused, and so not read.
            encoding.set(kVTCompressionPropertyKey_AverageBitRate, "much" as CFString, kVTParameterErr)
            #expect(encoding.copy(kVTCompressionPropertyKey_AverageBitRate).value as? Int == 700_000)
        }

        /// A session without a callback, and what its handlers count.
        private final class Handled: @unchecked Sendable {
            // Unchecked: the session is set before the first frame, and taken away by one handler alone.
            var session: VTCompressionSession?
            let count = Mutex(0)

            init() {
                _ = TestEncoders.registered
                VTCompressionSessionCreate(
                    allocator: nil, width: 64, height: 64, codecType: kCMVideoCodecType_H264,
                    encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
                    outputCallback: nil, refcon: nil, compressionSessionOut: &session)
            }
        }

        @Test("frames of two colors that two threads give at once are each described with their own")
        func colorsAtOnce() throws {
            let encoding = try Encoding(kCMVideoCodecType_H264, 64, 64)
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            let matrices = [kCVImageBufferYCbCrMatrix_ITU_R_601_4, kCVImageBufferYCbCrMatrix_ITU_R_709_2]
            let next = Mutex(0)
            let pictures = try matrices.map { matrix in
                let picture = try frame(0, 64, 64)
                CVBufferSetAttachment(picture, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate)
                return picture
            }
            // Unsafe: buffers and session may be used by any thread.
            nonisolated(unsafe) let (frames, session) = (pictures, encoding)
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for _ in 0..<500 {
                    let number = next.withLock { next in
                        next += 1
                        return next
                    }
                    // A frame that comes after a later one is refused.
                    session.encode(frames[thread], at: time(number), refCon: thread + 1)
                }
            }
            #expect(encoding.complete() == noErr)
            let told = encoding.output.all.map { event in
                (event.refCon, event.sample?.formatDescription?.extensions[.yCbCrMatrix] as? String)
            }
            #expect(told.count > 100)
            let wrong = told.filter { $0.1 != "\(matrices[$0.0 - 1])" }
            #expect(wrong.isEmpty, "\(wrong.count) of \(told.count)")
        }

        @Test("a session without a callback refuses frames without a handler, whose fate nobody would be told")
        func nobodyToTell() throws {
            let session = try #require(Handled().session)
            let status = VTCompressionSessionEncodeFrame(
                session, imageBuffer: try frame(0, 64, 64), presentationTimeStamp: time(0), duration: .invalid,
                frameProperties: nil, sourceFrameRefcon: nil, infoFlagsOut: nil)
            #expect(status == kVTParameterErr)
        }

        @Test("a handler that sets, copies and asks for pools while profiles and sizes change", .timeLimit(.minutes(1)))
        func callsWhileProfilesChange() throws {
            let handled = Handled()
            let session = try #require(handled.session)
            let profiles = [kVTProfileLevel_H264_Main_AutoLevel, kVTProfileLevel_H264_High_AutoLevel]
            let rate = kVTCompressionPropertyKey_AverageBitRate
            for number in 0..<100 {
                VTSessionSetProperty(
                    session, key: kVTCompressionPropertyKey_ProfileLevel, value: profiles[number / 5 % 2])
                let status = VTCompressionSessionEncodeFrame(
                    session, imageBuffer: try frame(number, 64, 64), presentationTimeStamp: time(number),
                    duration: .invalid, frameProperties: nil, infoFlagsOut: nil
                ) { _, _, _ in
                    guard let session = handled.session else { return }
                    let count = handled.count.withLock { count in
                        count += 1
                        return count
                    }
                    VTSessionSetProperty(session, key: rate, value: (200_000 + count) as CFTypeRef)
                    var value: CFTypeRef?
                    _ = withUnsafeMutablePointer(to: &value) {
                        VTSessionCopyProperty(session, key: rate, allocator: nil, valueOut: UnsafeMutableRawPointer($0))
                    }
                    _ = VTCompressionSessionGetPixelBufferPool(session)
                }
                #expect(status == noErr)
            }
            #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == noErr)
            #expect(handled.count.withLock { $0 } == 100)
            handled.session = nil
        }

        @Test("handlers that never run are released by Invalidate, with what they hold")
        func handlersInside() throws {
            final class Token: Sendable {}
            let session = try #require(Handled().session)
            weak var token: Token?
            do {
                let held = Token()
                token = held
                for number in 0..<8 {
                    VTCompressionSessionEncodeFrame(
                        session, imageBuffer: try frame(number, 64, 64), presentationTimeStamp: time(number),
                        duration: .invalid, frameProperties: nil, infoFlagsOut: nil
                    ) { _, _, _ in _ = held }
                }
            }
            VTCompressionSessionInvalidate(session)
            for _ in 0..<5000 where token != nil { usleep(1000) }
            #expect(token == nil)
        }

        @Test("a refused frame takes nothing away: its time is free, and its flags stay as they were")
        func refused() throws {
            let encoding = try Encoding()
            let forced = [kVTEncodeFrameOptionKey_ForceKeyFrame: "yes"] as CFDictionary
            let quantizer = [kVTEncodeFrameOptionKey_BaseFrameQP: 3] as CFDictionary
            var number = 0
            for round in 0..<3 {
                let picture = try frame(number)
                #expect(encoding.encode(picture, at: time(number), properties: forced) == kVTParameterErr)
                #expect(encoding.encode(picture, at: time(number), properties: quantizer) == kVTPropertyNotSupportedErr)
                if round > 0 {
                    let deep = try frame(0, 64, 64, format: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
                    #expect(encoding.encode(deep, at: time(number)) == kVTPixelTransferNotSupportedErr)
                }
                var flags = VTEncodeInfoFlags()
                let status = VTCompressionSessionEncodeFrame(
                    encoding.session, imageBuffer: picture, presentationTimeStamp: .invalid, duration: .invalid,
                    frameProperties: nil, sourceFrameRefcon: nil, infoFlagsOut: &flags)
                #expect(status == kVTParameterErr && flags == [])
                for _ in 0..<3 {
                    #expect(encoding.encode(try frame(number), at: time(number)) == noErr)
                    number += 1
                }
                #expect(encoding.encode(picture, at: time(number - 1)) == kVTParameterErr)
            }
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.all.map(\.status) == [OSStatus](repeating: noErr, count: number))
        }

        @Test(
            "each key set to nil between frames is its default: frames go on, with one key frame",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
        func defaults(codec: CMVideoCodecType) throws {
            let encoding = try Encoding(codec)
            var supported: CFDictionary?
            VTSessionCopySupportedPropertyDictionary(encoding.session, supportedPropertyDictionaryOut: &supported)
            let keys = try #require(supported).allKeys.compactMap { $0 as? String }.sorted()
            for (number, key) in keys.enumerated() {
                let status = VTSessionSetProperty(encoding.session, key: key as NSString, value: nil)
                #expect([noErr, kVTPropertyReadOnlyErr].contains(status), "\(key)")
                #expect(encoding.encode(try frame(number), at: time(number)) == noErr, "\(key)")
            }
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.samples.count == keys.count)
            #expect(encoding.output.samples.filter(\.isSync).count == 1)
        }

        @Test("without temporal compression each frame is a key frame, from one frame on and to another")
        func temporalCompression() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            for number in 0..<12 {
                if number % 4 == 0 {
                    encoding.set(kVTCompressionPropertyKey_AllowTemporalCompression, (number != 4) as CFTypeRef)
                }
                #expect(encoding.encode(try frame(number), at: time(number)) == noErr)
            }
            #expect(encoding.complete() == noErr)
            let keys = encoding.output.samples.indices.filter { encoding.output.samples[$0].isSync }
            #expect(keys.prefix(5) == [0, 4, 5, 6, 7] && keys.allSatisfy { $0 < 9 }, "\(keys)")
        }
    }
#endif
