// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import Dispatch
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Glibc
    import Synchronization
    import TestSupport
    import Testing

    @Suite struct EndingTests {
        @Test("CompleteFrames returns after the callback of the last frame returned")
        func completion() throws {
            for _ in 0..<20 {
                let encoding = try Encoding()
                for number in 0..<7 { encoding.encode(try frame(number), at: time(number)) }
                #expect(encoding.complete() == noErr)
                #expect(encoding.output.all.count == 7)
            }
        }

        @Test("CompleteFrames before any frame, and for times that cannot be")
        func completionOfNothing() throws {
            let encoding = try Encoding()
            #expect(encoding.complete() == noErr)
            let epoch = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 2)
            #expect(
                VTCompressionSessionCompleteFrames(encoding.session, untilPresentationTimeStamp: epoch)
                    == kVTParameterErr)
            encoding.encode(try frame(0), at: time(0))
            #expect(VTCompressionSessionCompleteFrames(encoding.session, untilPresentationTimeStamp: time(0)) == noErr)
            #expect(encoding.output.all.count == 1)
        }

        @Test("after Invalidate each call says so, and nothing more comes", arguments: [false, true])
        func invalidation(realTime: Bool) throws {
            for _ in 0..<20 {
                let encoding = try Encoding()
                encoding.set(kVTCompressionPropertyKey_RealTime, realTime as CFTypeRef)
                for number in 0..<6 { encoding.encode(try frame(number), at: time(number)) }
                VTCompressionSessionInvalidate(encoding.session)
                let count = encoding.output.all.count
                // In real time nothing that was taken is lost.
                if realTime { #expect(encoding.output.samples.count == 6) }
                #expect(encoding.encode(try frame(9), at: time(9)) == kVTInvalidSessionErr)
                #expect(encoding.complete() == kVTInvalidSessionErr)
                #expect(VTCompressionSessionPrepareToEncodeFrames(encoding.session) == kVTInvalidSessionErr)
                encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue, kVTInvalidSessionErr)
                #expect(encoding.copy(kVTCompressionPropertyKey_RealTime).status == kVTInvalidSessionErr)
                #expect(VTCompressionSessionGetPixelBufferPool(encoding.session) == nil)
                VTCompressionSessionInvalidate(encoding.session)
                #expect(encoding.output.all.count == count)
            }
        }

        /// A session whose handler makes calls of the session.
        private final class Caller: @unchecked Sendable {
            // Unchecked: the session is set before the first frame, and taken away after the last.
            var session: VTCompressionSession?
            let statuses = Mutex<[OSStatus]>([])

            func note(_ status: OSStatus) { statuses.withLock { $0.append(status) } }
        }

        @Test("a callback may encode, set and invalidate, and not wait for itself")
        func callsWithin() throws {
            _ = TestEncoders.registered
            let caller = Caller()
            var made: VTCompressionSession?
            VTCompressionSessionCreate(
                allocator: nil, width: 176, height: 144, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
                imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
                compressionSessionOut: &made)
            let session = try #require(made)
            caller.session = session
            VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
            let second = Held(try frame(1))
            let isDone = DispatchSemaphore(value: 0)
            VTCompressionSessionEncodeFrame(
                session, imageBuffer: try frame(0), presentationTimeStamp: time(0), duration: .invalid,
                frameProperties: nil, infoFlagsOut: nil
            ) { _, _, _ in
                guard let session = caller.session else { return }
                caller.note(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid))
                caller.note(
                    VTSessionSetProperty(
                        session, key: kVTCompressionPropertyKey_AverageBitRate, value: 100_000 as CFTypeRef))
                caller.note(
                    VTCompressionSessionEncodeFrame(
                        session, imageBuffer: second.value, presentationTimeStamp: time(1), duration: .invalid,
                        frameProperties: nil, infoFlagsOut: nil
                    ) { status, _, sample in
                        caller.note(sample == nil ? -1 : status)
                        VTCompressionSessionInvalidate(session)
                        isDone.signal()
                    })
            }
            isDone.wait()
            caller.session = nil
            #expect(caller.statuses.withLock { $0 } == [kVTParameterErr, noErr, noErr, noErr])
            let status = VTCompressionSessionPrepareToEncodeFrames(session)
            #expect(status == kVTInvalidSessionErr)
        }

        /// Carries a buffer into a handler.
        private struct Held: @unchecked Sendable {
            // Unchecked: read by the session alone once it is carried.
            let value: CVPixelBuffer
            init(_ value: CVPixelBuffer) { self.value = value }
        }

        @Test("a session that is released is gone, with its handlers, buffers and samples")
        func release() throws {
            final class Token: Sendable {}
            weak var token: Token?
            weak var session: VTCompressionSession?
            weak var buffer: CVPixelBuffer?
            do {
                let (encoding, held, picture) = (try Encoding(), Token(), try frame(0))
                (token, session, buffer) = (held, encoding.session, picture)
                encoding.encode(picture, at: time(0))
                CVBufferSetAttachment(picture, "token" as CFString, held, .shouldNotPropagate)
                #expect(encoding.complete() == noErr)
                #expect(token != nil && session != nil && buffer != nil)
            }
            #expect(session == nil)
            for _ in 0..<5000 where buffer != nil || token != nil { usleep(1000) }
            #expect(buffer == nil && token == nil)
        }

        @Test("four threads that encode, set, complete and invalidate get documented statuses alone", arguments: 0..<20)
        func threads(round: Int) throws {
            let encoding = try Encoding(kCMVideoCodecType_H264, 64, 64)
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            let shared = SharedSession(encoding.session)
            let next = Atomic(0)
            let taken = Atomic(0)
            let wrong = Mutex<[OSStatus]>([])
            let seed = SeededGenerator().seed
            let buffer = Held(try frame(3, 64, 64))
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                var generator = SeededGenerator(seed: seed &+ UInt64(thread))
                for step in 0..<40 {
                    let status: OSStatus
                    switch Int.random(in: 0..<20, using: &generator) {
                    case 0..<14:
                        let number = next.add(1, ordering: .relaxed).newValue
                        status = VTCompressionSessionEncodeFrame(
                            shared.session, imageBuffer: buffer.value, presentationTimeStamp: time(number),
                            duration: .invalid, frameProperties: nil, sourceFrameRefcon: nil, infoFlagsOut: nil)
                        if status == noErr { taken.add(1, ordering: .relaxed) }
                    case 14..<18:
                        status = VTSessionSetProperty(
                            shared.session, key: kVTCompressionPropertyKey_AverageBitRate,
                            value: Int.random(in: 100_000...900_000, using: &generator) as CFTypeRef)
                    case 18:
                        status = VTCompressionSessionCompleteFrames(
                            shared.session, untilPresentationTimeStamp: .invalid)
                    default:
                        if step > 30 && thread == 0 { VTCompressionSessionInvalidate(shared.session) }
                        status = noErr
                    }
                    // Frames of two threads may overtake each other: -12902.
                    if ![noErr, kVTParameterErr, kVTInvalidSessionErr].contains(status) {
                        wrong.withLock { $0.append(status) }
                    }
                }
            }
            VTCompressionSessionInvalidate(encoding.session)
            #expect(wrong.withLock { $0 } == [])
            let count = encoding.output.all.count
            #expect(count <= taken.load(ordering: .relaxed))
            let shown = encoding.output.samples.map(\.presentationTimeStamp)
            #expect(shown == shown.sorted())
        }

        private struct SharedSession: @unchecked Sendable {
            // Unchecked: any thread may call a session.
            let session: VTCompressionSession
            init(_ session: VTCompressionSession) { self.session = session }
        }
    }
#endif
