// SPDX-License-Identifier: MIT

import Logging

/// How data-rate limits are kept: a coded picture that a limit has no room for does not leave, and is encoded again.
///
/// The encoder that made it is closed, since what comes after refers to the picture. Another begins with it, as a sync
/// frame with a larger quantizer, and is given what was inside the one before: with limits, pictures are kept until
/// they have left.
extension EncodePipeline {
    /// One picture in so many that are no sync frames is measured, which takes a look at its slices.
    private static let measuredShare = 4
    /// The same where pictures that take ``ampleRoom`` times as much would find plenty of room.
    private static let measuredShareWithAmpleRoom = 16
    /// How many times its bytes a picture may take before what is known of sizes matters.
    private static let ampleRoom = 16

    /// The largest quantizer that pictures may get.
    static func coarsest(_ live: LiveSettings, _ capabilities: EncoderCapabilities) -> Int {
        live.maxAllowedFrameQP ?? capabilities.quantizers.upperBound
    }

    /// Whether the library's own bucket is believed to keep the limits: of one that looks ahead, whose bucket lies
    /// within them, and whose pictures wait for those shown before them so that all can be encoded again.
    static func trustsBucket(
        _ configuration: SessionConfiguration, _ settings: ResolvedSettings, _ description: EncoderDescription
    ) -> Bool {
        guard description.capabilities.takesQuantizers, !description.isHardwareAccelerated, !configuration.realTime
        else { return false }
        return configuration.maxFrameDelayCount == nil || !settings.plan.allowFrameReordering
    }

    /// Goes on with other limits for the pictures that encoders are given from now on.
    mutating func changeLimits(to live: LiveSettings) {
        limits.change(to: live.dataRateLimits, coarsest: Self.coarsest(live, description.capabilities))
    }

    /// Forgets limits that were lifted and that no picture inside was given under.
    mutating func forgetLiftedLimits() {
        let eras = (run?.mapInside(\.era) ?? []) + held.frames.map(\.ticket.era)
        limits.forgetLifted(before: eras.min() ?? limits.era)
    }

    private var takesQuantizers: Bool { description.capabilities.takesQuantizers }

    // MARK: - Pictures in

    /// Keeps a picture to encode it again, and chooses its quantizer where limits have little room.
    mutating func prepare(
        _ ticket: inout FrameTickets.Ticket, of picture: PixelBuffer, for run: EncoderRun
    ) {
        guard takesQuantizers else { return }
        ticket.picture = picture
        limits.noteInput(at: ticket.rateTime)
        ticket.isFirst = run.isFresh
        chooseQuantizer(of: &ticket, for: run)
    }

    /// From picture to picture.
    private var step: MediaTime {
        let awake = inForce.configuration.live.expectedFrameRate ?? SettingsResolver.assumedFrameRate
        return limits.step(pace: inForce.pace.frameDuration, awake: awake.frameDuration)
    }

    private func chooseQuantizer(of ticket: inout FrameTickets.Ticket, for run: EncoderRun) {
        let isSync = ticket.isForced || ticket.isFirst
        ticket.quantizer = limits.quantizer(
            in: ticket.era, at: ticket.rateTime, step: step, isSync: isSync, inside: inside(run),
            bytesInside: run.expectedBytes)
        ticket.expectedBytes = limits.sizes.expected(at: ticket.quantizer, isSync: isSync)
    }

    /// What the pictures inside an encoder are thought to take.
    private func inside(_ run: EncoderRun) -> [LimitPlanner.Counted] {
        run.mapInside { LimitPlanner.Counted(bytes: $0.expectedBytes, era: $0.era, time: $0.rateTime) }
    }

    /// Whether limits leave room for a sync frame that nobody asked for, as another encoder begins with.
    func hasRoomForSync(at time: MediaTime) -> Bool {
        guard takesQuantizers, limits.hasLimits else { return true }
        return limits.allows(limits.sizes.coarseSync, in: limits.era, at: time, step: step)
    }

    // MARK: - Pictures out

    /// Whether a coded picture leaves; else it is encoded again later or dropped, and the assembler is as at its mark.
    ///
    /// Its `time` is the next decode time on the clock of rate control, which nobody has taken yet.
    mutating func passes(
        _ unit: AccessUnit, of ticket: FrameTickets.Ticket, _ id: Int, at time: MediaTime, to emit: Emit
    ) throws(EncoderError) -> Bool {
        if refersToDropped(unit, of: ticket.frame) {
            assembler.goBack()
            takeDecodeTime()
            try drop(ticket, id, .rateControl, isTimeTaken: true, to: emit)
            return false
        }
        let step = step
        let isAmple = limits.hasPlenty(for: unit.byteCount * Self.ampleRoom, in: ticket.era, step: step)
        let hasPlenty = isAmple || limits.hasPlenty(for: unit.byteCount, in: ticket.era, step: step)
        let knowsSizes = limits.sizes.usual != nil
        let share = isAmple && knowsSizes ? Self.measuredShareWithAmpleRoom : Self.measuredShare
        let isMeasured =
            takesQuantizers && isMeasured(unit, of: ticket, at: time, hasPlenty: hasPlenty, share: share)
        if hasPlenty, !isMeasured { return true }
        let quantizer = isMeasured ? quantizer(of: unit) : nil
        if let quantizer {
            limits.note(
                CoarseSizes.Sample(
                    bytes: unit.byteCount, quantizer: quantizer, isSync: unit.isSync,
                    isReference: unit.isDependedOnByOthers, isTold: ticket.quantizer != nil))
        }
        let isLate = lastShown.map { ticket.frame.time < $0 } ?? false
        let coded = LimitPlanner.Coded(
            era: ticket.era, bytes: unit.byteCount, isSync: unit.isSync, quantizer: quantizer, told: ticket.quantizer,
            attempts: ticket.attempts, isRepeatable: ticket.picture != nil && !isLate)
        let verdict = limits.verdict(on: coded, at: time, step: step)
        if verdict == .leaves { return true }
        if ticket.quantizer == nil { limits.noteBreach(at: time) }
        assembler.goBack()
        if case .again(let quantizer) = verdict {
            var ticket = ticket
            (ticket.quantizer, ticket.attempts) = (quantizer, ticket.attempts + 1)
            ticket.expectedBytes = limits.sizes.expected(of: coded, at: quantizer)
            rejected.append(ticket)
            spoil()
        } else {
            warnOfDrop(unit.byteCount, room: limits.room(in: ticket.era, at: time))
            let spoils = unit.isDependedOnByOthers && takesQuantizers
            // The decode time passes with the picture: the next would else be measured by the same full windows. But
            // those that are shown before it and encoded again need as many times before theirs as they had.
            let isTimeTaken = !spoils || (held.isEmpty && !(run?.holds(before: ticket.frame.time) ?? false))
            if isTimeTaken { takeDecodeTime() }
            if spoils {
                spoil()
            } else if unit.isDependedOnByOthers {
                loseReference()
            }
            try drop(ticket, id, .rateControl, isTimeTaken: isTimeTaken, to: emit)
        }
        return false
    }

    /// Leaves out what is inside an encoder that cannot encode it again, up to the next sync frame.
    private mutating func loseReference() {
        reference = .missing
        keyFrames.forceNext()
    }

    /// Whether a picture may refer to one that was dropped: all up to the next sync frame, and those shown before that.
    private mutating func refersToDropped(_ unit: AccessUnit, of frame: SubmittedFrame) -> Bool {
        switch reference {
        case .complete: return false
        case .missing:
            guard unit.isSync else { return true }
            reference = .completeFrom(frame.time)
            return false
        case .completeFrom(let time): return frame.time < time
        }
    }

    private mutating func go(back place: Place) {
        assembler.goBack(to: place.assembler)
        (timestamps, rateTimestamps) = (place.timestamps, place.rateTimestamps)
    }

    /// Takes back the frames that are held: they refer to the picture that does not leave, or come after it.
    private mutating func spoil() {
        isSpoiled = true
        guard let place = held.place else { return }
        go(back: place)
        rejected += held.frames.map(\.ticket)
        held = HeldFrames()
        limits.takeBack()
    }

    // MARK: - Held frames

    /// Lets a coded frame leave, or keeps it as long as one inside is shown before it.
    ///
    /// That one would have to be left out, were it too large, if this one had left: nothing can be encoded again for a
    /// place before it. No frame is kept where somebody counts those inside.
    mutating func hold(
        _ frame: EncodedFrame, _ unit: AccessUnit, of ticket: FrameTickets.Ticket, _ id: Int, at time: MediaTime,
        to emit: Emit
    ) throws(EncoderError) {
        let counted = LimitPlanner.Counted(bytes: unit.byteCount, era: ticket.era, time: time)
        let isPrompt = inForce.settings.request.maxFrameDelayCount != nil || !takesQuantizers
        if held.isEmpty {
            guard !isPrompt, run?.holds(before: ticket.frame.time) ?? false else {
                takeDecodeTime()
                limits.count(counted)
                return try leave(frame, unit, of: ticket, id, at: time, to: emit)
            }
            held.place = Place(assembler.mark, timestamps, rateTimestamps)
        }
        takeDecodeTime()
        limits.hold(counted)
        held.frames.append(HeldFrames.Frame(encoded: frame, unit: unit, ticket: ticket, id: id, rateTime: time))
        try releaseIfComplete(to: emit)
    }

    /// Takes the next decode time.
    mutating func takeDecodeTime() {
        timestamps?.next(frameDuration: inForce.pace.frameDuration)
        rateTimestamps?.next(frameDuration: inForce.pace.frameDuration)
    }

    private mutating func leave(
        _ frame: EncodedFrame, _ unit: AccessUnit, of ticket: FrameTickets.Ticket, _ id: Int, at time: MediaTime,
        to emit: Emit
    ) throws(EncoderError) {
        note(unit, id, of: ticket, at: time)
        lastShown = max(lastShown ?? ticket.frame.time, ticket.frame.time)
        try emit(frame)
    }

    /// Lets the held frames leave where no frame inside is shown before one of them.
    mutating func releaseIfComplete(to emit: Emit) throws(EncoderError) {
        guard let latest = held.latest, !(run?.holds(before: latest) ?? false) else { return }
        try release(to: emit)
    }

    /// Lets the held frames leave.
    mutating func release(to emit: Emit) throws(EncoderError) {
        limits.release()
        let frames = held.frames
        held = HeldFrames()
        for frame in frames {
            var encoded = frame.encoded
            encoded.cost?.leave(takenAt: frame.ticket.frame.takenAt)
            try leave(encoded, frame.unit, of: frame.ticket, frame.id, at: frame.rateTime, to: emit)
        }
    }

    // MARK: - Measuring

    /// Whether the quantizer of a picture is looked up: of sync frames, of a share of the others, and of one that there
    /// is little room for.
    private mutating func isMeasured(
        _ unit: AccessUnit, of ticket: FrameTickets.Ticket, at time: MediaTime, hasPlenty: Bool, share: Int
    ) -> Bool {
        measured += 1
        return unit.isSync || measured % share == 0
            || !hasPlenty && unit.byteCount > limits.allowance(in: ticket.era, at: time, step: step)
    }

    private mutating func quantizer(of unit: AccessUnit) -> Double? {
        if let quantizer = unit.reportedQP { return quantizer }
        if quantizers?.format != unit.format { quantizers = QuantizerReader(unit.format) }
        return quantizers?.mean(of: unit)
    }

    private mutating func warnOfDrop(_ bytes: Int, room: Int) {
        guard !hasWarnedOfDrop else { return }
        hasWarnedOfDrop = true
        logger.warning(
            "a picture of \(bytes) bytes was dropped, for which the data-rate limits had \(room) left")
    }

    // MARK: - Again

    /// Encodes what was rejected, and what the encoder holds after it, until all of it left, was dropped or is inside
    /// an encoder.
    mutating func encodeAgain(emit: Emit) throws(EncoderError) {
        while isSpoiled, let spoiled = run {
            rejected = (rejected + spoiled.takeOutAll()).sorted { $0.frame.time < $1.frame.time }
            isSpoiled = false
            // What is shown before a frame that left would have to come before it.
            while let first = rejected.first, first.picture == nil || lastShown.map({ first.frame.time < $0 }) ?? false
            {
                rejected.removeFirst()
                try drop(first, spoiled.nextID - 1, .rateControl, to: emit)
            }
            guard !rejected.isEmpty else { return keyFrames.forceNext() }
            // The one that was too large may be shown after others, which are encoded before it now.
            if let worst = rejected.max(by: { $0.attempts < $1.attempts }) {
                (rejected[0].attempts, rejected[0].quantizer) = (worst.attempts, worst.quantizer)
                rejected[0].expectedBytes = worst.expectedBytes
            }
            close()
            nextID = spoiled.nextID - rejected.count
            let next = try open(mayChangeFormat: false, replacingFor: .dataRateLimits)
            try refill(next, emit: emit)
        }
    }

    /// Gives an encoder that was just opened what was inside the one before, as far as all of it leaves.
    private mutating func refill(_ run: EncoderRun, emit: Emit) throws(EncoderError) {
        while !isSpoiled, !rejected.isEmpty {
            var ticket = rejected.removeFirst()
            // Only kept pictures are left.
            guard let picture = ticket.picture else { continue }
            ticket.isForced = keyFrames.mustForce(run.nextID, at: ticket.frame.time, requested: ticket.isForced)
            ticket.isFirst = run.isFresh
            if ticket.attempts == 0 { chooseQuantizer(of: &ticket, for: run) }
            let readable = picture.kind == .memory || run.reads(picture) ? picture : try picture.mapped()
            try run.encode(readable, as: ticket) { (output) throws(EncoderError) in
                try deliver(output, of: run, to: emit)
            }
        }
    }
}
