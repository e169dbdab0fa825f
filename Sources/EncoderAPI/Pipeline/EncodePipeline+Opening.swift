// SPDX-License-Identifier: MIT

/// How an encoder opens, and what becomes of the parameter sets in force when it does.
extension EncodePipeline {
    /// The open encoder; opens one if none is, which goes on with the parameter sets in force.
    @discardableResult
    mutating func prepare() throws(EncoderError) -> EncoderRun {
        if let run { return run }
        return try open(mayChangeFormat: false, replacingFor: .completion)
    }

    /// Opens an encoder; the parameter sets in force stay, if there are any, unless the answer of a call will say what
    /// becomes of them.
    @discardableResult
    mutating func open(
        mayChangeFormat: Bool, replacingFor reason: SessionStatistics.RestartReason
    ) throws(EncoderError) -> EncoderRun {
        let isFree = mayChangeFormat || assembler.format == nil || assembler.isChangeTold
        let followsPace = isFree ? true : try !hasBufferModel
        let (before, liveBefore, position) = (
            inForce, formatLive, buffer?.position ?? StreamPosition(startOf: inForce.configuration.live)
        )
        inForce = before.opening(at: position, followsPace: followsPace)
        var run = try isFree ? encoder(with: settings.live) : encoderKeepingFormat()
        if !isFree, followsPace, try !keepsFormat(run) {
            // libx264 writes the range of motion vectors of the level, and another pace may need another level; a
            // decoder may rely on that range.
            inForce = before.opening(at: position, followsPace: false)
            formatLive = liveBefore
            run = try encoderKeepingFormat()
        }
        begin(run, replacingFor: reason)
        keyFrames.change(to: settings.live)
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

    /// Opens an encoder with live parameters.
    private mutating func encoder(with live: LiveParameters) throws(EncoderError) -> EncoderRun {
        var opened = settings
        opened.live = live
        let run = try EncoderRun(
            try backend.makeEncoder(description, settings: opened, logger: logger), name: description.displayName,
            intake: try PictureIntake(from: inForce.configuration.source, to: opened.picture),
            color: inForce.configuration.color, firstID: nextID)
        keyFrames.noteOpening(with: live)
        formatLive = live
        return run
    }

    /// Opens an encoder whose pictures decode with the parameter sets in force.
    ///
    /// Some live changes that an encoder goes on with show in the parameter sets of one that is opened with them, such
    /// as libx264's rate factor, or a key-frame interval of 1 in libx265. Then one is opened with the key-frame
    /// intervals of the one before, or all as that was, and takes the changes as that did.
    private mutating func encoderKeepingFormat() throws(EncoderError) -> EncoderRun {
        let before = formatLive
        let run = try encoder(with: settings.live)
        guard let before, before != settings.live, try !keepsFormat(run) else { return run }
        for opening in [settings.live.leavingIntervals(of: before), before] where opening != settings.live {
            let other = try encoder(with: opening)
            if try other.update(settings.live) == .fromNextPicture, try keepsFormat(other) { return other }
        }
        keyFrames.noteOpening(with: settings.live)
        formatLive = settings.live
        return run
    }

    /// Whether pictures of an open encoder decode with the parameter sets in force, as far as it tells before the
    /// first.
    private func keepsFormat(_ run: EncoderRun) throws(EncoderError) -> Bool {
        guard let sets = try run.parameterSets else { return true }
        return assembler.keepsFormat(with: sets)
    }

    /// Learns what only the first frame tells; an encoder that was prepared for something else is closed.
    mutating func begin(with frame: SubmittedFrame) throws(EncoderError) {
        guard !inForce.hasBegun else { return }
        let next = try inForce.beginning(at: frame.time, duration: frame.duration, isOpen: run != nil)
        if next.settings != settings {
            close()
            timestamps = nil
        }
        adopt(next)
    }

    /// Flushes the encoder and opens the next one, which starts with a key frame.
    ///
    /// - Throws: ``EncoderError``; the settings before are in force again then, and the next frame opens an encoder.
    mutating func restart(
        with next: SettingsInForce, for reason: SessionStatistics.RestartReason, mayChangeFormat: Bool, emit: Emit
    ) throws(EncoderError) {
        try flush(emit: emit)
        close()
        let (before, bufferBefore) = ((inForce, watch, limits, bitRate), buffer)
        let isOtherAverage = try isOtherAverageAlone(next)
        adopt(next)
        if isOtherAverage { buffer?.fillHalf() }
        do throws(EncoderError) {
            try open(mayChangeFormat: mayChangeFormat, replacingFor: reason)
        } catch {
            adopt(before.0)
            // What was counted goes on.
            (_, watch, limits, bitRate) = before
            buffer = bufferBefore
            throw error
        }
    }

    /// Whether settings ask for another average, whose buffer keeps no promise.
    ///
    /// With the buffer as the frames before left it, libx265 spends what a higher average saved, or saves first: three
    /// seconds at 8 Mbit/s after three at 12 had 9.9 Mbit/s, and began half full they have 8.5, measured on 3.5 with
    /// noise. Limits, levels and a buffer model in the parameter sets are promises that hold from one encoder to the
    /// next.
    private func isOtherAverageAlone(_ next: SettingsInForce) throws(EncoderError) -> Bool {
        guard case .averageBitRate(let before) = settings.live.rate.control,
            case .averageBitRate(let after) = next.settings.live.rate.control, before != after,
            live.dataRateLimits.isEmpty, next.configuration.live.dataRateLimits.isEmpty,
            next.settings.plan.level == nil
        else { return false }
        return try !hasBufferModel
    }

    // MARK: - Parameter sets

    /// The parameter sets in force, or those that the stream will start with; nil where nothing tells.
    var parameterSets: [[UInt8]]? {
        get throws(EncoderError) {
            if let format = assembler.format { return format.parameterSets }
            return try run?.parameterSets
        }
    }

    /// Whether the next key frame may have other parameter sets.
    ///
    /// False where no change told before is still to come, and the parameter sets in force and those of the open
    /// encoder are known and differ in the frame rate at most; before the first picture, where the encoder's equal
    /// `sets`.
    mutating func tellChange(of sets: [[UInt8]]?) throws(EncoderError) -> Bool {
        // Pictures inside the encoder may still bring the change of the call before, which this one's may take back.
        let isPending = assembler.isChangeTold
        assembler.isChangeTold = true
        assembler.changeStart = run?.nextID ?? nextID
        guard let next = try run?.parameterSets else { return true }
        guard assembler.format != nil else { return next != sets }
        assembler.isChangeTold = isPending || !assembler.keepsFormat(with: next)
        if assembler.isChangeTold { formatLive = settings.live }
        return assembler.isChangeTold
    }

    /// Whether parameter sets have a buffer model, whose messages count in ticks of the frame rate signalled, for the
    /// bit rate that the model states: those in force, or those of the open encoder, whose first picture may be inside.
    var hasBufferModel: Bool {
        get throws(EncoderError) {
            [assembler.format?.parameterSets, try run?.parameterSets].contains { sets in
                sets.map { ParameterSetComparison.haveBufferModel($0, codec: description.codec) } ?? false
            }
        }
    }

    mutating func noteAdjustments(of encoder: any FrameEncoder) {
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
