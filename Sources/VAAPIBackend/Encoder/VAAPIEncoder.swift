// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Logging
import ParameterSets

/// An encoder of a device: pictures are planned here, coded there, and come out in coding order.
final class VAAPIEncoder: FrameEncoder {
    let reorderDepth: Int
    let maximumDelay: Int
    let parameterSets: [[UInt8]]?
    let pixelBufferPool: PixelBufferPool?
    /// Drivers reset a device that hangs within seconds.
    let patience = Duration.seconds(5)

    private let opening: VAEncoderOpening
    private let plan: VAStreamPlan
    private let codec: any CodecDriver
    private let stream: StreamConfiguration
    /// The `VA_RC_` bits that serve the device's driver.
    private let modes: UInt32
    private let logger: Logger
    private let source: VAPictureSource?
    private var input: VAInput
    private var context: VAEncodeContext
    private let planner: Confined<GOPPlanner>
    private var rate: VARatePlan
    /// The smallest quantizer that the driver was told with ``rate``; nil where it has yet to be told.
    private var toldMinQP: Int?
    private var settings: ResolvedSettings
    /// The samples of pictures that wait for another: few, so that looking through them is quicker than a dictionary.
    private let waiting = Confined<[(id: Int, picture: VAInput.Picture, quantizer: Int?)]>([])
    private let queue = Confined(PictureQueue<VAEncodeContext.Submission>())
    private var recovery = VARecovery()

    init(_ opened: VAEncoderOpening.Opened, of opening: VAEncoderOpening) {
        self.opening = opening
        (plan, codec, rate, stream) = (opened.plan, opened.codec, opened.rate, opened.stream)
        modes = opened.modes
        (settings, logger) = (opening.settings, opening.logger)
        context = opened.context
        input = VAInput(opened.display, opened.context.description, plan: opened.plan)
        planner = Confined(GOPPlanner(plan.structure))
        reorderDepth = plan.structure.reorderDepth
        maximumDelay = plan.structure.consecutiveB
        parameterSets = opened.context.description.traits.takesParameterSets ? codec.parameterSets : nil
        source = VAPictureSource(opened.display, opening.settings)
        pixelBufferPool = source?.pool
    }

    // What is in flight may be with a context of before.
    deinit {
        let waited = queue.value.first?.submission?.context ?? context
        waited.letGo(with: [context, input, queue.value, waiting.value, source as Any])
    }

    var depth: Int { context.takesSeveral ? plan.depth : 1 }

    var adjustments: [Adjustment] { rate.adjustments + opening.adjustments(plan) }

    // MARK: - Pictures in

    func reads(_ picture: PixelBuffer) -> Bool { input.reads(picture) }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        do throws(EncoderError) {
            waiting.value.append((picture.id, try input.take(picture.pixelBuffer), picture.quantizer))
        } catch  where error.isPictureFault {
            // At once, so that a key frame it was to be is made up for by the next.
            return try emit(.dropped(id: picture.id, reason: .failed(error)))
        } catch {
            return try lose([picture.id], error)
        }
        try code(planner.value.add(picture.id, isForced: picture.options.forceKeyFrame))
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        try code(planner.value.flush())
        return .goesOn
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        var next = settings
        next.live = live
        // Less headroom costs less than a key frame.
        let rates = self.rate.changing(from: settings, to: next, modes: modes)?.narrower ?? []
        guard let rate = rates.first(where: { stream.holds(next, plan.references, $0) }) else {
            return .withAnotherEncoder
        }
        settings = next
        planner.value.interval = live.asked.maxKeyFrameInterval ?? VAStreamPlan.usualInterval
        if rate != self.rate { (self.rate, toldMinQP) = (rate, nil) }
        return .fromNextPicture
    }

    /// Gives pictures to the driver; after one that it refuses, what is left begins anew with an IDR picture.
    private func code(_ pictures: [GOPPlanner.Picture]) throws(EncoderError) {
        for (index, picture) in pictures.enumerated() {
            do throws(EncoderError) {
                try submit(picture)
            } catch {
                return try lose([picture.id], error, andRestart: Array(pictures[(index + 1)...]))
            }
        }
    }

    private func submit(_ picture: GOPPlanner.Picture) throws(EncoderError) {
        guard let given = waiting.value.take(picture.id) else {
            throw EncoderError(.backendFailure, reason: "picture \(picture.id) has no surface")
        }
        var plan = try context.plan(picture)
        plan.quantizer = rate.quantizers[picture]
        let isIDR = picture.kind == .idr
        let minQP = rate.minQP(coarsenedTo: given.quantizer)
        let facts = SequenceFacts(
            interval: planner.value.interval ?? 0, distance: self.plan.structure.consecutiveB + 1,
            bitsPerSecond: rate.mostBitsPerSecond)
        let submission = try context.submit(
            consume plan, given.picture, codec, sequence: isIDR ? facts : nil,
            rate: isIDR || toldMinQP != minQP ? rate.with(minQP: minQP) : nil, qualityLevel: self.plan.qualityLevel)
        toldMinQP = minQP
        queue.value.append(submission, id: picture.id, isIDR: isIDR)
    }

    // MARK: - Pictures out

    var inFlight: Int { queue.value.count }

    func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError) {
        let start = ContinuousClock.now
        var deadline = deadline
        while let next = queue.value.first {
            guard let submission = next.submission else {
                queue.value.removeFirst()
                if let loss = next.loss { try emit(.dropped(id: next.id, reason: .failed(loss.error))) }
                continue
            }
            var failure: EncoderError?
            var isOver = true
            do throws(EncoderError) {
                guard try submission.context.wait(for: submission, until: deadline) else { return }
            } catch {
                failure = error
                // The driver may be at it still: what it reads and writes stays with the context.
                isOver = false
            }
            queue.value.removeFirst()
            if let loss = next.loss {
                failure = loss.error
            } else if failure == nil {
                failure = try give(submission, emit: emit)
            }
            if isOver { submission.context.finish(submission) }
            if let failure {
                try check(failure, since: start)
                try emit(.dropped(id: next.id, reason: .failed(failure)))
                if next.loss == nil { try recover(from: failure, of: submission) }
            }
            // Others are taken where they are ready.
            deadline = start
        }
    }

    /// Reads a picture and gives it out.
    ///
    /// - Returns: What the driver did wrong; nil for a picture that was given out.
    /// - Throws: What `emit` throws.
    private func give(
        _ submission: VAEncodeContext.Submission, emit: EncoderOutput.Handler
    ) throws(EncoderError) -> EncoderError? {
        var isRead = false
        do throws(EncoderError) {
            try submission.codedBuffer.read { bytes, averageQP throws(EncoderError) in
                isRead = true
                try emit(.coded(CodedPicture(submission, bytes, averageQP: averageQP)))
            }
        } catch {
            if isRead { throw error }
            return error
        }
        recovery.noteSuccess()
        return nil
    }

    // MARK: - Failures

    /// Gives up on a device whose driver takes long to say that a picture failed, and then again.
    private func check(_ failure: EncoderError, since start: ContinuousClock.Instant) throws(EncoderError) {
        let time = start.duration(to: .now)
        guard time > patience, recovery.noteLateFailure() else { return }
        throw EncoderError(
            .timedOut, reason: "\(opening.device) took \(time) to fail: \(failure.reason)", status: failure.status)
    }

    /// Goes on after the driver failed with a picture that it had taken.
    private func recover(
        from failure: EncoderError, of submission: VAEncodeContext.Submission
    ) throws(EncoderError) {
        if submission.plan.isReference { queue.value.loseDependents(failure) }
        // Another picture of that context may have failed before.
        guard submission.context === context else { return }
        try lose([], failure)
    }

    /// Reports pictures as lost, makes anew what has to be, and begins with an IDR picture.
    private func lose(
        _ ids: [Int], _ failure: EncoderError, andRestart others: [GOPPlanner.Picture] = []
    ) throws(EncoderError) {
        logger.warning("\(opening.device): \(failure.description); going on with a key frame")
        for id in ids { queue.value.append(lost: id, failure) }
        var step = recovery.step(at: .now, canReopen: opening.device.canReopen)
        var cause = failure
        while true {
            do throws(EncoderError) {
                switch step {
                case .context: context = try opening.context(like: context, mode: rate.mode)
                case .device: try reopen()
                case .giveUp:
                    throw EncoderError(
                        .deviceLost, reason: "\(opening.device) is lost: \(cause.reason)", status: cause.status)
                }
                break
            } catch  where step == .giveUp {
                throw error
            } catch {
                cause = error
                step = recovery.escalate(canReopen: opening.device.canReopen)
            }
        }
        toldMinQP = nil
        // What was copied to a connection that is gone is lost with it.
        let left = Set(waiting.value.map(\.id))
        let lost = others.map(\.id).filter { !left.contains($0) } + planner.value.takeWaiting { !left.contains($0) }
        for id in lost { queue.value.append(lost: id, failure) }
        try code(planner.value.restart(with: others.filter { left.contains($0.id) }))
    }

    /// Connects to the device again; surfaces of the old connection are of no use to the new one.
    private func reopen() throws(EncoderError) {
        let display = try VADisplayHandle(opening: opening.device, logger: logger)
        context = try opening.context(like: context, mode: rate.mode, on: display)
        input = VAInput(display, context.description, plan: plan)
        source?.move(to: display)
        waiting.value = []
    }
}

extension EncoderError {
    /// Whether the picture is to blame, and not the driver.
    fileprivate var isPictureFault: Bool { code == .invalidPixelBuffer || code == .unsupportedPixelFormat }
}

extension [(id: Int, picture: VAInput.Picture, quantizer: Int?)] {
    /// Takes a picture out.
    fileprivate mutating func take(_ id: Int) -> Element? {
        firstIndex { $0.id == id }.map { remove(at: $0) }
    }
}

extension CodedPicture {
    /// A picture in the driver's memory.
    fileprivate init(_ submission: VAEncodeContext.Submission, _ bytes: UnsafeRawBufferPointer, averageQP: Int?) {
        let picture = submission.plan.picture
        var units: [UnsafeRawBufferPointer] = []
        AnnexB.forEachNALUnit(in: bytes.bindMemory(to: UInt8.self).span) {
            units.append(UnsafeRawBufferPointer(rebasing: bytes[$0]))
        }
        self.init(
            id: picture.id, pictureType: picture.kind == .idr ? .i : picture.kind == .p ? .p : .b,
            isReference: picture.isReference, averageQP: averageQP.map(Double.init),
            nalUnits: units)
    }
}
