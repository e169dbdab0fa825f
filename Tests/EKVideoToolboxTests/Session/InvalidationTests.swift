// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import Dispatch
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Glibc
    import RandomSessions
    import Synchronization
    import TestSupport
    import Testing

    /// Invalidate within a callback, beside one and after all: each has one outcome.
    @Suite(.serialized) struct InvalidationTests {
        /// A session whose callback does something with it.
        private final class Subject: @unchecked Sendable {
            // Unchecked: the session is set before the first frame.
            var session: VTCompressionSession?
            let told = Mutex<[OSStatus]>([])
            let onFirst: (@Sendable (Subject) -> Void)?

            init(realTime: Bool, onFirst: (@Sendable (Subject) -> Void)? = nil) throws {
                _ = TestEncoders.registered
                self.onFirst = onFirst
                var made: VTCompressionSession?
                VTCompressionSessionCreate(
                    allocator: nil, width: 64, height: 64, codecType: kCMVideoCodecType_H264,
                    encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
                    outputCallback: { refCon, _, status, _, _ in
                        guard let refCon else { return }
                        let subject = Unmanaged<Subject>.fromOpaque(refCon).takeUnretainedValue()
                        if subject.note(status) == 1 { subject.onFirst?(subject) }
                    }, refcon: Unmanaged.passUnretained(self).toOpaque(), compressionSessionOut: &made)
                session = made
                set(kVTCompressionPropertyKey_RealTime, realTime as NSNumber)
                // Else nothing would come out before the end: each frame is waited for now.
                if !realTime { set(kVTCompressionPropertyKey_MaxFrameDelayCount, 0 as NSNumber) }
            }

            private func note(_ status: OSStatus) -> Int {
                told.withLock { told in
                    told.append(status)
                    return told.count
                }
            }

            @discardableResult
            func set(_ key: CFString, _ value: CFTypeRef?) -> OSStatus {
                session.map { VTSessionSetProperty($0, key: key, value: value) } ?? -1
            }

            func encode(_ buffer: CVPixelBuffer, _ number: Int) -> OSStatus {
                guard let session else { return -1 }
                return VTCompressionSessionEncodeFrame(
                    session, imageBuffer: buffer, presentationTimeStamp: time(number), duration: .invalid,
                    frameProperties: nil, sourceFrameRefcon: nil, infoFlagsOut: nil)
            }

            /// Gives three frames in a thread, which a callback may hold up.
            func start(_ buffer: CVPixelBuffer) -> pthread_t {
                nonisolated(unsafe) let buffer = buffer  // Read by the session alone.
                return WorkerThread.start { for number in 0..<3 { _ = self.encode(buffer, number) } }
            }

            func invalidate() { if let session { VTCompressionSessionInvalidate(session) } }
            var count: Int { told.withLock { $0.count } }
            /// Whether the session says that it is over.
            var isOver: Bool {
                self.set(kVTCompressionPropertyKey_ExpectedFrameRate, 30 as NSNumber) == kVTInvalidSessionErr
            }
        }

        /// With real time and without: ten thousand together.
        private static let rounds = Array(0..<5_000)

        @Test("within a callback: no other one comes", arguments: [false, true])
        func sampledWithin(realTime: Bool) throws {
            let buffer = try frame(3, 64, 64)
            for round in Sample.of(Self.rounds, least: 200, thorough: 1_000) {
                let subject = try Subject(realTime: realTime) { $0.invalidate() }
                // The first is taken; those after it may come after the end.
                var statuses: Set<OSStatus> = [subject.encode(buffer, 0)]
                #expect(statuses == [noErr])
                for number in 1..<4 { statuses.insert(subject.encode(buffer, number)) }
                #expect(statuses.isSubset(of: [noErr, kVTInvalidSessionErr]), "round \(round)")
                while subject.count == 0 || !subject.isOver {}
                subject.invalidate()
                #expect(subject.told.withLock { $0 } == [noErr], "round \(round)")
                subject.session = nil
            }
        }

        @Test(
            "beside a callback: it returns first; in real time all that was taken comes, else nothing more does",
            arguments: [false, true])
        func sampledBeside(realTime: Bool) throws {
            let buffer = try frame(3, 64, 64)
            for round in Sample.of(Self.rounds, least: 200, thorough: 1_000) {
                let hasReturned = Atomic(false)
                let isInside = DispatchSemaphore(value: 0)
                let subject = try Subject(realTime: realTime) { subject in
                    isInside.signal()
                    // Until the other thread is in the call.
                    while !subject.isOver {}
                    hasReturned.store(true, ordering: .sequentiallyConsistent)
                }
                // In real time all three are taken meanwhile.
                if realTime { for number in 0..<3 { #expect(subject.encode(buffer, number) == noErr) } }
                let feeder = realTime ? nil : subject.start(buffer)
                isInside.wait()
                subject.invalidate()
                let returned = hasReturned.load(ordering: .sequentiallyConsistent)
                #expect(returned)
                #expect(subject.count == (realTime ? 3 : 1), "round \(round)")
                if let feeder { pthread_join(feeder, nil) }
                subject.session = nil
            }
        }

        @Test("beside another Invalidate: no callback runs when either returns", arguments: [false, true])
        func sampledTwice(realTime: Bool) throws {
            let buffer = try frame(3, 64, 64)
            for round in Sample.of(Self.rounds, least: 200, thorough: 1_000) {
                let running = Atomic(0)
                let isInside = DispatchSemaphore(value: 0)
                let subject = try Subject(realTime: realTime) { subject in
                    running.add(1, ordering: .sequentiallyConsistent)
                    isInside.signal()
                    while !subject.isOver {}
                    running.subtract(1, ordering: .sequentiallyConsistent)
                }
                // In real time all three are taken meanwhile.
                if realTime { for number in 0..<3 { #expect(subject.encode(buffer, number) == noErr) } }
                let feeder = realTime ? nil : subject.start(buffer)
                isInside.wait()
                let counts = Mutex<[Int]>([])
                WorkerThread.all(2) { _ in
                    subject.invalidate()
                    counts.withLock { $0 += [subject.count, running.load(ordering: .sequentiallyConsistent)] }
                }
                #expect(counts.withLock { $0 } == (realTime ? [3, 0, 3, 0] : [1, 0, 1, 0]), "round \(round)")
                if let feeder { pthread_join(feeder, nil) }
                subject.session = nil
            }
        }

        @Test("after all callbacks: each frame was told of once", arguments: [false, true])
        func sampledAfter(realTime: Bool) throws {
            let buffer = try frame(3, 64, 64)
            for round in Sample.of(Self.rounds, least: 200, thorough: 1_000) {
                let subject = try Subject(realTime: realTime)
                for number in 0..<3 { #expect(subject.encode(buffer, number) == noErr) }
                let session = try #require(subject.session)
                #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == noErr)
                subject.invalidate()
                #expect(subject.told.withLock { $0 } == [noErr, noErr, noErr], "round \(round)")
                #expect(subject.encode(buffer, 3) == kVTInvalidSessionErr)
                subject.session = nil
            }
        }
    }
#endif
