// SPDX-License-Identifier: MIT

/// How settings reach an encoder: when it goes on with others, and when another must take its place.
extension EncodePipeline {
    /// Makes the frames that follow as another configuration has them; on a throw the old one stays in force.
    ///
    /// The codec and the framing are those of before. Live settings take another encoder where the open one does not
    /// go on with them; all else takes one as soon as there is one.
    mutating func change(
        to configuration: SessionConfiguration, emit: Emit
    ) throws(EncoderError) -> UpdateOutcome {
        guard configuration != inForce.configuration else { return .unchanged }
        let next = try inForce.asking(configuration)
        try backend.check(next.settings, for: description)
        guard run != nil || assembler.format != nil else {
            adopt(next)
            return .applied
        }
        if configuration.differsOnlyLive(from: inForce.configuration) { return try update(to: next, emit: emit) }
        let showsOthers = next.configuration.source != inForce.configuration.source
        return try restart(
            with: next, for: showsOthers ? .pictures : .settings, after: try parameterSets, emit: emit)
    }

    /// Changes live settings.
    private mutating func update(to next: SettingsInForce, emit: Emit) throws(EncoderError) -> UpdateOutcome {
        // A hint is no reason for a key frame: the presentation times will show what comes.
        let unhurried = next.pacing(inForce.pace)
        let isHintAlone = unhurried.settings.live == settings.live
        let sets = try parameterSets
        switch try goOn(with: next) {
        case .fromNextPicture: return .applied
        case .atNextKeyFrame:
            guard !isHintAlone else { return .applied }
            keyFrames.forceNext()
            return .restarted(formatMayChange: try tellChange(of: sets))
        case .withAnotherEncoder: break
        }
        if unhurried.settings.live != next.settings.live,
            (try? backend.check(unhurried.settings, for: description)) != nil,
            try goOn(with: unhurried) == .fromNextPicture
        {
            return .applied
        }
        return try restart(with: next, for: .settings, after: sets, emit: emit)
    }

    /// Goes on with another encoder, where the parameter sets were `sets`; says what becomes of them.
    private mutating func restart(
        with next: SettingsInForce, for reason: SessionStatistics.RestartReason, after sets: [[UInt8]]?, emit: Emit
    ) throws(EncoderError) -> UpdateOutcome {
        try restart(with: next, for: reason, mayChangeFormat: true, emit: emit)
        return .restarted(formatMayChange: try tellChange(of: sets))
    }

    /// The time of the next frame on the clock of rate control.
    mutating func rateTime(of frame: SubmittedFrame) -> MediaTime {
        let followedDurations = rateClock.followsDurations
        let expected = inForce.expectedFrameRate
        let time = rateClock.time(of: frame.time, duration: frame.duration, expecting: expected)
        if let expected, rateClock.followsDurations, !followedDurations {
            rateTimestamps = timestamps
            watch.followDurations(of: expected, from: time)
            hasNews = true
        }
        return time
    }

    /// Follows what the presentation times show: a clock that is fine enough for them, and the frame rate they have.
    ///
    /// The parameter sets stay. With a buffer model in them, which either would change, nothing is followed that takes
    /// another encoder.
    mutating func follow(_ time: MediaTime, emit: Emit) throws(EncoderError) {
        if let timescale = clock.finer(than: inForce.settings.plan.timescale, for: time, rate: inForce.pace),
            try !hasBufferModel
        {
            try restart(with: inForce.ticking(timescale), for: .clock, mayChangeFormat: false, emit: emit)
            clock.changeTimescale()
        }
        let watched = watch.noteInput(at: time, pace: inForce.pace)
        if watched.isNews { hasNews = true }
        // A library's bucket fills by pictures of the rate that it was told.
        if watched.contradiction != nil { limits.distrustBucket() }
        guard let seen = watched.contradiction, inForce.isRateBound else { return }
        let next = inForce.pacing(seen.rate)
        let rate = settings.plan.frameRate
        let isOutgrown =
            paceRestarts.keptRate != rate && seen.isFaster && inForce.hasOtherRate(than: next.reopening)
        let isLeft = isOutgrown ? try mayReopen(for: next) : false
        let isWorthKeyFrame = paceRestarts.areWorth(seen, from: inForce.pace, at: time)
        // An encoder that took the last change with a key frame is not told of another before that is worth one.
        guard isWorthKeyFrame || run?.lastEffect != .atNextKeyFrame else { return }
        let isTellable = (try? backend.check(next.settings, for: description)) != nil
        switch isTellable && !isLeft ? try goOn(with: next) : .withAnotherEncoder {
        case .fromNextPicture: break
        case .atNextKeyFrame:
            if isWorthKeyFrame || seen.isFaster {
                keyFrames.forceNext()
                paceRestarts.note(seen, at: time)
            }
        case .withAnotherEncoder:
            guard isWorthKeyFrame, try mayReopen(for: next), hasRoomForSync(at: time) else { return }
            try restart(with: next, for: .frameRate, mayChangeFormat: false, emit: emit)
            paceRestarts.note(seen, at: time)
            if settings.plan.frameRate == rate { paceRestarts.keptRate = rate }
        }
        watch.measureAgain(from: time)
    }

    /// Whether another encoder may be opened for the pace of `next` under the parameter sets in force.
    private func mayReopen(for next: SettingsInForce) throws(EncoderError) -> Bool {
        guard (try? backend.check(next.reopening.settings, for: description)) != nil else { return false }
        return try !hasBufferModel
    }

    /// Goes on with the open encoder, or without one where no picture was encoded; changes nothing where another must
    /// be opened.
    private mutating func goOn(with next: SettingsInForce) throws(EncoderError) -> LiveParameters.Effect {
        let isSame = next.settings.live == settings.live
        var effect = LiveParameters.Effect.fromNextPicture
        if let run {
            guard next.settings.plan == settings.plan else { return .withAnotherEncoder }
            if !isSame {
                effect = try run.update(next.settings.live)
                guard effect != .withAnotherEncoder else { return effect }
                noteAdjustments(of: run.encoder)
            }
        } else if !isSame, assembler.format != nil {
            return .withAnotherEncoder
        }
        adopt(next)
        return effect
    }

    mutating func adopt(_ next: SettingsInForce) {
        if next.configuration.live != inForce.configuration.live {
            watch.change(to: next.configuration.live)
            changeLimits(to: next.configuration.live)
            bitRate.change(to: next.configuration.live.rateControl.bitsPerSecond, from: run?.nextID ?? nextID)
        }
        inForce = next
        assembler.show(next.configuration.source)
        keyFrames.change(to: next.settings.live)
        hasNews = true
        watch.announce(next.adjustments)
        let model = next.settings.live.rate.buffer
        let start = StreamPosition(startOf: next.configuration.live)
        if let model, buffer != nil {
            buffer?.change(to: model, start: start)
        } else {
            buffer = model.map { BufferTracker(model: $0, start: start) }
        }
    }
}
