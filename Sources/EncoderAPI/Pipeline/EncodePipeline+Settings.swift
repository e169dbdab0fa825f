// SPDX-License-Identifier: MIT

/// How settings reach an encoder: when one opens, when it goes on with others, and when another must take its place.
extension EncodePipeline {
    // MARK: - Opening

    /// The open encoder; opens one if none is.
    @discardableResult
    mutating func prepare() throws(EncoderError) -> EncoderRun {
        if let run { return run }
        inForce = inForce.opening(at: buffer?.position ?? StreamPosition())
        let run = try EncoderRun(
            try backend.makeEncoder(description, settings: settings, logger: logger), name: description.displayName,
            intake: try PictureIntake(from: inForce.configuration.source, to: settings.picture), firstID: nextID)
        begin(run)
        keyFrames.noteOpening(with: settings.live)
        hasNews = true
        watch.announce(inForce.adjustments)
        noteAdjustments(of: run.encoder)
        if timestamps == nil {
            timestamps = DecodeTimestamps(reorderDepth: run.encoder.reorderDepth)
        } else {
            timestamps?.change(reorderDepth: run.encoder.reorderDepth)
            rateTimestamps?.change(reorderDepth: run.encoder.reorderDepth)
        }
        return run
    }

    /// Learns what only the first frame tells; an encoder that was prepared for something else is closed.
    mutating func begin(with frame: SubmittedFrame) throws(EncoderError) {
        guard !inForce.hasBegun else { return }
        let next = try inForce.beginning(with: frame, isOpen: run != nil)
        if next.settings != settings {
            close()
            timestamps = nil
        }
        adopt(next)
    }

    // MARK: - Changing

    /// Changes the live settings; on a throw the old ones stay in force.
    mutating func update(_ live: LiveSettings, emit: Emit) throws(EncoderError) -> UpdateOutcome {
        guard live != inForce.configuration.live else { return .unchanged }
        let next = try inForce.asking(live)
        try backend.check(next.settings, for: description)
        // A hint is no reason for a key frame: the presentation times will show what comes.
        let unhurried = next.pacing(inForce.pace)
        let isHintAlone = unhurried.settings.live == settings.live
        let sets = try parameterSets
        switch try goOn(with: next) {
        case .fromNextPicture: return .applied
        case .atNextKeyFrame:
            guard !isHintAlone else { return .applied }
            keyFrames.forceNext()
            return .restarted(formatMayChange: try mayChange(sets))
        case .withAnotherEncoder: break
        }
        if unhurried.settings.live != next.settings.live, try goOn(with: unhurried) == .fromNextPicture {
            return .applied
        }
        return .restarted(formatMayChange: try restart(with: next, emit: emit))
    }

    /// Changes the size and format of the pictures that follow; on a throw the old ones stay in force.
    mutating func change(to source: SourceFormat, emit: Emit) throws(EncoderError) -> UpdateOutcome {
        guard source != inForce.configuration.source else { return .unchanged }
        let next = try inForce.showing(source)
        try backend.check(next.settings, for: description)
        guard run != nil || assembler.format != nil else {
            adopt(next)
            return .applied
        }
        return .restarted(formatMayChange: try restart(with: next, emit: emit))
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
    mutating func follow(_ time: MediaTime, emit: Emit) throws(EncoderError) {
        if let timescale = clock.finer(than: inForce.settings.plan.timescale, for: time, rate: inForce.pace) {
            _ = try restart(with: inForce.ticking(timescale), emit: emit)
            clock.changeTimescale()
        }
        let watched = watch.noteInput(at: time, pace: inForce.pace)
        if watched.isNews { hasNews = true }
        guard let seen = watched.contradiction, inForce.isRateBound else { return }
        let next = inForce.pacing(seen.rate)
        guard (try? backend.check(next.settings, for: description)) != nil else { return }
        let isWorthKeyFrame = paceRestarts.areWorth(seen, from: inForce.pace, at: time)
        // An encoder that took the last change with a key frame is not told of another before that is worth one.
        guard isWorthKeyFrame || run?.lastEffect != .atNextKeyFrame else { return }
        switch try goOn(with: next) {
        case .fromNextPicture: break
        case .atNextKeyFrame:
            if isWorthKeyFrame || seen.isFaster {
                keyFrames.forceNext()
                paceRestarts.note(seen, at: time)
            }
        case .withAnotherEncoder:
            guard isWorthKeyFrame, (try? backend.check(next.reopening.settings, for: description)) != nil else {
                return
            }
            _ = try restart(with: next, emit: emit)
            paceRestarts.note(seen, at: time)
        }
        watch.measureAgain(from: time)
    }

    /// Goes on with the open encoder, or without one where no picture was encoded; changes nothing where another must be
    /// opened.
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

    /// The parameter sets in force, or those that the stream will start with; nil where nothing tells.
    private var parameterSets: [[UInt8]]? {
        get throws(EncoderError) {
            if let format = assembler.format { return format.parameterSets }
            return try run?.parameterSets
        }
    }

    /// Whether the next key frame may have others than `sets`: false only where both are known and equal.
    private func mayChange(_ sets: [[UInt8]]?) throws(EncoderError) -> Bool {
        guard let sets, let next = try run?.parameterSets else { return true }
        return next != sets
    }

    /// Flushes the encoder and opens the next one, which starts with a key frame.
    ///
    /// - Returns: Whether its parameter sets may differ from those in force.
    /// - Throws: ``EncoderError``; the settings before are in force again then, and the next frame opens an encoder.
    private mutating func restart(with next: SettingsInForce, emit: Emit) throws(EncoderError) -> Bool {
        let (before, watchBefore) = (inForce, watch)
        var sets = try parameterSets
        try flush(emit: emit)
        close()
        sets = assembler.format?.parameterSets ?? sets
        adopt(next)
        do throws(EncoderError) {
            try prepare()
        } catch {
            adopt(before)
            // What limits had counted goes on.
            watch = watchBefore
            throw error
        }
        return try mayChange(sets)
    }

    private mutating func adopt(_ next: SettingsInForce) {
        if next.configuration.live != inForce.configuration.live {
            watch.change(to: next.configuration.live, from: run?.nextID ?? nextID)
        }
        inForce = next
        assembler.show(next.configuration.source)
        keyFrames.change(to: next.settings.live)
        hasNews = true
        watch.announce(next.adjustments)
        guard let model = next.settings.live.rate.buffer, buffer != nil else {
            buffer = next.settings.live.rate.buffer.map(BufferTracker.init)
            return
        }
        buffer?.change(to: model)
    }

    private mutating func noteAdjustments(of encoder: any FrameEncoder) {
        encoderAdjustments = encoder.adjustments
        if let most = inForce.configuration.maxFrameDelayCount, encoder.maximumDelay > most {
            let adjustment = Adjustment(
                .maxFrameDelayCount, requested: "\(most)", used: "\(encoder.maximumDelay)",
                reason: "\(description.displayName) holds so many frames")
            encoderAdjustments.append(adjustment)
            watch.announce([adjustment])
        }
        guard inForce.configuration.allowFrameReordering == true, encoder.reorderDepth == 0 else { return }
        encoderAdjustments.append(
            Adjustment(
                .allowFrameReordering, requested: "true", used: "false",
                reason: "\(description.displayName) uses no B pictures with these settings"))
    }
}
