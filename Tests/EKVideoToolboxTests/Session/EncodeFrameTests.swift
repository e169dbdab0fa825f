// SPDX-License-Identifier: MIT

#if os(Linux)
    import Dispatch
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import EncoderAPI
    import Foundation
    import ParameterSets
    import Synchronization
    import TestSupport
    import Testing
    import X264Backend

    @Suite struct EncodeFrameTests {
        @Test("each frame has one callback in decode order, with its times bit for bit and its refcon", .requiresLibAV)
        func frames() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
            var times: [CMTime] = []
            for number in 0..<30 {
                var time = CMTime(value: Int64(number) * 3001, timescale: 90_000)
                if number % 3 == 0 { time.flags.insert(.hasBeenRounded) }
                times.append(time)
                let status = encoding.encode(
                    try frame(number), at: time, duration: CMTime(value: 3003, timescale: 90_000), refCon: number + 1)
                #expect(status == noErr)
            }
            #expect(encoding.complete() == noErr)
            let events = encoding.output.all
            #expect(events.map(\.refCon) == Array(1...30))
            #expect(events.allSatisfy { $0.status == noErr && !$0.flags.contains(.frameDropped) })
            for (event, time) in zip(events, times) {
                let sample = try #require(event.sample)
                let shown = sample.presentationTimeStamp
                #expect(shown.value == time.value && shown.timescale == 90_000 && shown.flags == time.flags)
                #expect(sample.duration == CMTime(value: 3003, timescale: 90_000))
                #expect(sample.decodeTimeStamp == .invalid)
                #expect(sample.numSamples == 1 && sample.totalSampleSize == sample.bytes.count)
            }
            #expect(try decode(encoding.output.samples).count == 30)
        }

        @Test("the bytes are those of a session of EncoderAPI with the same settings")
        func sameBytes() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            encoding.set(kVTCompressionPropertyKey_AverageBitRate, 300_000 as CFTypeRef)
            encoding.set(kVTCompressionPropertyKey_MaxKeyFrameInterval, 12 as CFTypeRef)
            encoding.set(kVTCompressionPropertyKey_ExpectedFrameRate, 30 as CFTypeRef)
            var configuration = SessionConfiguration(codec: .h264, width: 176, height: 144, pixelFormat: .nv12)
            configuration.realTime = true
            configuration.live.averageBitRate = 300_000
            configuration.live.maxKeyFrameInterval = 12
            configuration.live.expectedFrameRate = 30
            let session = try CompressionSession(configuration, encoder: X264Backend())
            let collected = Collected()
            try session.deliver { frame in collected.append(frame.accessUnit?.data ?? []) }
            for number in 0..<25 {
                let buffer = try frame(number)
                encoding.encode(buffer, at: time(number))
                try session.synchronous.encode(
                    buffer.pixelBuffer(), at: MediaTime(value: Int64(number), timescale: 30))
            }
            #expect(encoding.complete() == noErr)
            try session.synchronous.finish()
            #expect(encoding.output.samples.map(\.bytes) == collected.all)
        }

        // Threads could share pictures of 720 rows out as slices.
        @Test(
            "samples have no parameter sets and one slice a frame in real time; descriptions are one object",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC], [144, 720])
        func contents(codec: CMVideoCodecType, rows: Int) throws {
            let (width, height) = (rows == 144 ? 176 : 1280, rows)
            let encoding = try Encoding(codec, Int32(width), Int32(height))
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            for number in 0..<8 { encoding.encode(try frame(number, width, height), at: time(number)) }
            #expect(encoding.complete() == noErr)
            let samples = encoding.output.samples
            #expect(samples.count == 8)
            for sample in samples {
                // As a client reads them that takes a sample for one NAL unit.
                #expect(sample.nalUnits.count == 1)
                #expect(sample.nalUnits.allSatisfy { Self.isSlice($0[0], codec) })
                #expect(
                    sample.formatDescription.map(ObjectIdentifier.init)
                        == samples[0].formatDescription.map(ObjectIdentifier.init))
            }
            #expect(samples[0].formatDescription?.parameterSets.count == (codec == kCMVideoCodecType_H264 ? 2 : 3))
        }

        /// Whether a NAL unit with this first byte has a slice: tables 7-1 of both standards.
        private static func isSlice(_ header: UInt8, _ codec: CMVideoCodecType) -> Bool {
            codec == kCMVideoCodecType_H264 ? [1, 5].contains(header & 31) : header >> 1 & 63 < 32
        }

        @Test("frames inside the encoder do not count as waiting: a lookahead fills while EncodeFrame goes on")
        func framesInside() throws {
            let encoding = try Encoding()
            let isDone = DispatchSemaphore(value: 0)
            let shared = Shared(encoding)
            DispatchQueue(label: "EncoderKit.test").async {
                for number in 0..<80 { shared.encode(number) }
                isDone.signal()
            }
            #expect(isDone.wait(timeout: .now() + Patience.seconds) == .success)
            #expect(shared.statuses.withLock { $0 } == [OSStatus](repeating: noErr, count: 80))
            // libx264's preset looks ahead by 40 frames.
            let pending = encoding.copy(kVTCompressionPropertyKey_NumberOfPendingFrames).value as? Int
            #expect(pending.map { $0 >= 40 } == true)
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.samples.count == 80)
        }

        /// Carries a session to another thread.
        private final class Shared: @unchecked Sendable {
            // Unchecked: any thread may call a session.
            let encoding: Encoding
            let statuses = Mutex<[OSStatus]>([])
            init(_ encoding: Encoding) { self.encoding = encoding }

            func encode(_ number: Int) {
                guard let buffer = try? frame(number) else { return }
                let status = encoding.encode(buffer, at: time(number))
                statuses.withLock { $0.append(status) }
            }
        }

        @Test("a handler is told of its frame, and is refused beside a callback")
        func handlers() throws {
            _ = TestEncoders.registered
            var made: VTCompressionSession?
            VTCompressionSessionCreate(
                allocator: nil, width: 176, height: 144, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
                imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
                compressionSessionOut: &made)
            let (session, output) = (try #require(made), Output())
            var flags = VTEncodeInfoFlags()
            for number in 0..<5 {
                let status = VTCompressionSessionEncodeFrame(
                    session, imageBuffer: try frame(number), presentationTimeStamp: time(number), duration: .invalid,
                    frameProperties: nil, infoFlagsOut: &flags
                ) { status, flags, sample in
                    output.append(Output.Event(refCon: number, status: status, flags: flags, sample: sample))
                }
                #expect(status == noErr && flags == .asynchronous)
            }
            VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
            #expect(Set(output.all.map(\.refCon)) == Set(0..<5) && output.samples.count == 5)
            let encoding = try Encoding()
            let refused = VTCompressionSessionEncodeFrame(
                encoding.session, imageBuffer: try frame(0), presentationTimeStamp: time(0), duration: .invalid,
                frameProperties: nil, infoFlagsOut: nil
            ) { _, _, _ in Issue.record("the handler of a refused frame is called") }
            #expect(refused == kVTParameterErr)
        }

        @Test("times that cannot be are refused, and no callback tells of them")
        func refusedTimes() throws {
            let encoding = try Encoding()
            #expect(encoding.encode(try frame(0), at: time(5)) == noErr)
            let refused: [CMTime] = [
                .invalid, .indefinite, .positiveInfinity, .negativeInfinity, time(5), time(4),
                CMTime(value: 9, timescale: 0), CMTime(value: 9, timescale: -30),
                CMTimeMakeWithEpoch(value: 9, timescale: 30, epoch: 1), CMTime(value: .max, timescale: 1),
            ]
            for time in refused { #expect(encoding.encode(try frame(1), at: time) == kVTParameterErr, "\(time)") }
            #expect(encoding.encode(try frame(2), at: time(6)) == noErr)
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.all.count == 2)
        }

        @Test("forced key frames come where they are asked for, and false forces none", .requiresLibAV)
        func forcedKeyFrames() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            for number in 0..<20 {
                let force = [kVTEncodeFrameOptionKey_ForceKeyFrame: number == 7 || number == 15] as CFDictionary
                #expect(encoding.encode(try frame(number), at: time(number), properties: force) == noErr)
            }
            #expect(encoding.complete() == noErr)
            #expect(encoding.output.samples.indices.filter { encoding.output.samples[$0].isSync } == [0, 7, 15])
            #expect(try decode(encoding.output.samples).count == 20)
        }

        @Test("what a frame cannot have is refused by its status")
        func refusedProperties() throws {
            let encoding = try Encoding()
            let rows: [([CFString: Any], OSStatus)] = [
                ([kVTEncodeFrameOptionKey_BaseFrameQP: 20], kVTPropertyNotSupportedErr),
                ([kVTEncodeFrameOptionKey_AcknowledgedLTRTokens: [1]], kVTPropertyNotSupportedErr),
                ([kVTEncodeFrameOptionKey_ForceLTRRefresh: true], kVTPropertyNotSupportedErr),
                ([kVTEncodeFrameOptionKey_ForceKeyFrame: "yes"], kVTParameterErr),
                ([kVTEncodeFrameOptionKey_ForceKeyFrame: 2], kVTParameterErr),
                (["Unknown" as CFString: 2], noErr), ([kVTEncodeFrameOptionKey_ForceKeyFrame: 1], noErr),
            ]
            for (number, (properties, expected)) in rows.enumerated() {
                let status = encoding.encode(
                    try frame(number), at: time(number), properties: properties as CFDictionary)
                #expect(status == expected, "\(properties)")
            }
        }

        @Test("with reordering decode times begin at the first presentation time and rise", .requiresLibAV)
        func decodeTimes() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanTrue)
            for number in 0..<40 { encoding.encode(try frame(number * number), at: time(number + 100)) }
            #expect(encoding.complete() == noErr)
            // A second encoder goes on where the first stopped.
            encoding.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Main_AutoLevel)
            for number in 40..<60 { encoding.encode(try frame(number * number), at: time(number + 100)) }
            encoding.set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
            for number in 60..<80 { encoding.encode(try frame(number * number), at: time(number + 100)) }
            #expect(encoding.complete() == noErr)
            let decodeTimes = encoding.output.samples.map(\.decodeTimeStamp)
            #expect(decodeTimes.first == time(100))
            // Frames come evenly, so decode times do: also over the joints, the second of which ends the reordering.
            #expect(decodeTimes == (100..<180).map(time))
            let shown = encoding.output.samples.map(\.presentationTimeStamp)
            #expect(shown != shown.sorted())
            #expect(try decode(encoding.output.samples).count == 80)
        }

        @Test("where reordering begins in mid-stream, no frame is decoded after it is shown", .requiresLibAV)
        func laterReordering() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
            for number in 0..<20 { encoding.encode(try frame(number * number), at: time(number)) }
            encoding.set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanTrue)
            for number in 20..<60 { encoding.encode(try frame(number * number), at: time(number)) }
            #expect(encoding.complete() == noErr)
            let samples = encoding.output.samples
            #expect(samples.map(\.presentationTimeStamp) != samples.map(\.presentationTimeStamp).sorted())
            // The first frame was shown when it was decoded, so that nothing is shifted, now or later.
            let reordered = samples.filter(\.decodeTimeStamp.isValid)
            #expect(reordered.count >= 40)
            #expect(reordered.allSatisfy { $0.decodeTimeStamp <= $0.presentationTimeStamp })
            let decodeTimes = reordered.map(\.decodeTimeStamp)
            #expect(zip(decodeTimes, decodeTimes.dropFirst()).allSatisfy { $0 < $1 })
            #expect(try decode(samples).count == 60)
        }

        @Test(
            "samples have blocks of their own: start codes written over lengths spoil no other sample", .requiresLibAV)
        func ownBlocks() throws {
            let encoding = try Encoding()
            for number in 0..<10 { encoding.encode(try frame(number), at: time(number)) }
            #expect(encoding.complete() == noErr)
            let samples = encoding.output.samples
            let whole = samples.map(\.bytes)
            for (index, sample) in samples.enumerated() {
                var (offset, pointer, length) = (0, UnsafeMutablePointer<Int8>?.none, 0)
                CMBlockBufferGetDataPointer(
                    try #require(sample.dataBuffer), atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length,
                    dataPointerOut: &pointer)
                let start = try #require(pointer)
                while offset < length {
                    var size: UInt32 = 0
                    memcpy(&size, start + offset, 4)
                    for (place, byte) in [0, 0, 0, 1].enumerated() { start[offset + place] = Int8(byte) }
                    offset += 4 + Int(CFSwapInt32BigToHost(size))
                }
                for other in samples.indices where other > index { #expect(samples[other].bytes == whole[other]) }
            }
        }
    }

    /// Access units in their order.
    private final class Collected: @unchecked Sendable {
        // Unchecked: written by the session's thread alone, read when it is finished.
        private(set) var all: [[UInt8]] = []
        func append(_ bytes: [UInt8]) { all.append(bytes) }
    }
#endif
