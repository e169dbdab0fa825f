// SPDX-License-Identifier: MIT

import EKCoreFoundation
import EKCoreMedia
import EKCoreVideo
import EKVideoToolbox
import EncoderAPI
import Foundation
import Glibc
import RandomSessions
import Synchronization

/// Makes the calls of a sequence, each thread its own, and notes what comes of them.
final class CallRunner: @unchecked Sendable {
    // Unchecked: threads get the session before they start; callbacks reach it through a weak reference in a mutex.
    let sequence: CallSequence
    let encoderID: EncoderID
    let journal: CallJournal
    private let weakSession = Mutex(WeakSession())
    /// What went wrong beside the calls.
    private(set) var complaints: [String] = []

    private struct WeakSession: @unchecked Sendable {
        // Unchecked: reached inside the mutex alone.
        weak var session: VTCompressionSession?
    }

    /// Carries the session to a thread, which lets go of it.
    private final class Hold: @unchecked Sendable {
        // Unchecked: one thread has it at a time.
        var session: VTCompressionSession?
        init(_ session: VTCompressionSession?) { self.session = session }
    }

    init(_ sequence: CallSequence, encoderID: EncoderID, journal: CallJournal) {
        (self.sequence, self.encoderID, self.journal) = (sequence, encoderID, journal)
    }

    /// Makes all calls; the session and all frames are gone when it returns, or it complains.
    func run() {
        guard let session = makeSession() else { return complaints.append("no session") }
        let holds = sequence.threads.map { _ in Hold(session.session) }
        session.session = sequence.isCompleted ? session.session : nil
        if holds.count == 1 {
            perform(sequence.threads[0], with: holds[0])
        } else {
            WorkerThread.all(holds.count) { index in self.perform(self.sequence.threads[index], with: holds[index]) }
        }
        if session.session != nil {
            perform(.complete(upToLast: false), with: session, caller: nil)
            perform(.release, with: session, caller: nil)
        }
        for hold in holds where hold.session != nil { perform(.release, with: hold, caller: nil) }
        for _ in 0..<20_000 where !isGone { usleep(100) }
        if !isGone { complaints.append("session or frames are still there after all let go of them") }
    }

    /// Whether nobody has the session or a frame any more; a callback that let go of the session last has returned.
    private var isGone: Bool {
        weakSession.withLock { $0.session } == nil && !journal.isInCallback
            && journal.releasedBuffers.load(ordering: .sequentiallyConsistent) == journal.frameCount
    }

    private func makeSession() -> Hold? {
        let specification = NSDictionary(
            object: encoderID.rawValue as NSString, forKey: kVTVideoEncoderSpecification_EncoderID)
        let attributes = NSDictionary(
            object: NSNumber(value: kCVPixelFormatType_420YpCbCr8Planar), forKey: kCVPixelBufferPixelFormatTypeKey)
        var made: VTCompressionSession?
        VTCompressionSessionCreate(
            allocator: nil, width: 176, height: 144, codecType: kCMVideoCodecType_H264,
            encoderSpecification: specification, imageBufferAttributes: attributes, compressedDataAllocator: nil,
            outputCallback: { refCon, frame, status, flags, sample in
                guard let refCon else { return }
                Unmanaged<CallRunner>.fromOpaque(refCon).takeUnretainedValue()
                    .told(Int(bitPattern: frame) - 1, status, flags, sample)
            }, refcon: Unmanaged.passUnretained(self).toOpaque(), compressionSessionOut: &made)
        guard let made else { return nil }
        VTSessionSetProperty(made, key: kVTCompressionPropertyKey_ExpectedFrameRate, value: 30 as NSNumber)
        VTSessionSetProperty(made, key: kVTCompressionPropertyKey_RealTime, value: sequence.isRealTime as NSNumber)
        weakSession.withLock { $0.session = made }
        return Hold(made)
    }

    private func told(_ frame: Int, _ status: OSStatus, _ flags: VTEncodeInfoFlags, _ sample: CMSampleBuffer?) {
        let (begin, isAlone) = (journal.tick(), journal.enter())
        if let calls = sequence.inCallbacks[frame] {
            let hold = Hold(weakSession.withLock { $0.session })
            for call in calls where hold.session != nil { perform(call, with: hold, caller: frame) }
        }
        journal.leave(
            CallJournal.Callback(
                frame: frame, begin: begin, end: journal.tick(), status: status,
                isDropped: flags.contains(.frameDropped), sample: sample.map(CallJournal.Sample.init),
                overlaps: !isAlone))
    }

    private func perform(_ calls: [SessionCall], with hold: Hold) {
        for call in calls where hold.session != nil { perform(call, with: hold, caller: nil) }
    }

    private func perform(_ call: SessionCall, with hold: Hold, caller: Int?) {
        var noted = CallJournal.Call(call: call, caller: caller)
        var buffer: CVPixelBuffer?
        if case .encode(let frame) = call {
            let number = journal.nextFrame()
            guard number < Pictures.count else {
                _ = journal.releasedBuffers.add(1, ordering: .relaxed)
                return
            }
            noted.frame = number
            buffer = makeBuffer(number, frame)
        }
        noted.begin = journal.tick()
        guard let session = hold.session else { return }
        switch call {
        case .encode(let frame):
            guard let buffer, let number = noted.frame else { return complaints.append("no buffer") }
            let forced = NSDictionary(object: NSNumber(value: true), forKey: kVTEncodeFrameOptionKey_ForceKeyFrame)
            noted.status = VTCompressionSessionEncodeFrame(
                session, imageBuffer: buffer, presentationTimeStamp: Self.time(number, frame),
                duration: Self.duration(number), frameProperties: frame.force ? forced : nil,
                sourceFrameRefcon: UnsafeMutableRawPointer(bitPattern: number + 1), infoFlagsOut: nil)
        case .set(let key, let index):
            noted.status = VTSessionSetProperty(session, key: key.name, value: key.values[index].object)
        case .copy(let key):
            var value: CFTypeRef?
            noted.status = withUnsafeMutablePointer(to: &value) {
                VTSessionCopyProperty(session, key: key.name, allocator: nil, valueOut: UnsafeMutableRawPointer($0))
            }
            noted.text = SessionKey.text(value)
        case .prepare: noted.status = VTCompressionSessionPrepareToEncodeFrames(session)
        case .complete(let upToLast):
            let last = CMTime(value: Int64(max(journal.frameCount - 1, 0)) * 20, timescale: 600)
            noted.status = VTCompressionSessionCompleteFrames(
                session, untilPresentationTimeStamp: upToLast ? last : .invalid)
        case .invalidate: VTCompressionSessionInvalidate(session)
        case .release: hold.session = nil
        }
        noted.end = journal.tick()
        journal.note(noted)
    }

    /// The time of a frame: one frame in 1/30 s, in ticks that are not reduced.
    static func time(_ number: Int, _ frame: SessionCall.Frame) -> CMTime {
        var time = CMTime(value: frame.isLate ? -Int64(number + 1) : Int64(number) * 20, timescale: 600)
        if number % 3 == 0 { time.flags.insert(.hasBeenRounded) }
        return time
    }

    static func duration(_ number: Int) -> CMTime {
        number % 2 == 0 ? CMTime(value: 20, timescale: 600) : CMTime(value: 3000, timescale: 90_000)
    }

    /// A buffer around a picture that says which it is; its release is counted.
    private func makeBuffer(_ number: Int, _ frame: SessionCall.Frame) -> CVPixelBuffer? {
        let picture = Pictures.picture(number, frame.fate)
        var addresses: [UnsafeMutableRawPointer?] = (0..<3).map { plane in
            UnsafeMutableRawPointer(mutating: picture.unsafeAddress(plane: plane))
        }
        var (widths, heights) = ([176, 88, 88], [144, 72, 72])
        var strides = (0..<3).map { picture.bytesPerRow(plane: $0) }
        journal.note(luma: picture.unsafeAddress(plane: 0))
        var made: CVPixelBuffer?
        CVPixelBufferCreateWithPlanarBytes(
            nil, 176, 144, kCVPixelFormatType_420YpCbCr8Planar, nil, 0, 3, &addresses, &widths, &heights, &strides,
            { journal, _, _, _, _ in
                guard let journal else { return }
                _ = Unmanaged<CallJournal>.fromOpaque(journal).takeRetainedValue().releasedBuffers
                    .add(1, ordering: .sequentiallyConsistent)
            }, Unmanaged.passRetained(journal).toOpaque(), nil, &made)
        return made
    }
}
