// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import Glibc
import BackendSupport

/// How the pictures that the encoder may hold are spent: pure.
///
/// libx264 holds `max(bFrames, lookahead) + syncLookahead + threads - 1` pictures, and one more to learn how long a
/// picture lasts where its rate control follows timestamps. A trellis that decides where B pictures go holds four for
/// each B picture in a row, twelve at least, where that is more.
struct X264Latency: Equatable {
    /// Most B pictures in a row.
    var bFrames: Int
    /// Whether a trellis (`b-adapt` 2) decides where B pictures go.
    var usesTrellis: Bool
    /// Pictures that rate control looks at ahead of time.
    var lookahead: Int
    /// Pictures between the lookahead's thread and the encoder; -1 for the library's choice.
    var syncLookahead: Int
    /// Pictures encoded at once; 0 for the library's choice.
    var threads: Int
    /// Whether the threads share each picture, a slice for each, rather than take a picture each.
    var usesSlicedThreads: Bool
    /// Whether timestamps, not the frame rate, tell rate control how long a picture lasts.
    var followsTimestamps: Bool

    /// Luma macroblocks in a second that a thread is reckoned to encode in real time: those of 1080p30.
    static let macroblocksPerThread = 244_800.0

    /// Processors of this machine.
    static var processorCount: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    /// What preset and tune left in `parameters`.
    init(preset parameters: x264_param_t) {
        bFrames = Int(parameters.i_bframe)
        usesTrellis = parameters.i_bframe > 0 && parameters.i_bframe_adaptive == X264_B_ADAPT_TRELLIS
        lookahead = Int(parameters.rc.i_lookahead)
        syncLookahead = Int(parameters.i_sync_lookahead)
        threads = Int(parameters.i_threads)
        usesSlicedThreads = parameters.b_sliced_threads != 0
        followsTimestamps = parameters.b_vfr_input != 0
    }

    /// Writes the values into `parameters`.
    func apply(to parameters: inout x264_param_t) {
        parameters.i_bframe = Int32(clamping: bFrames)
        if parameters.i_bframe_adaptive == X264_B_ADAPT_TRELLIS, bFrames > 0, !usesTrellis {
            parameters.i_bframe_adaptive = X264_B_ADAPT_FAST
        }
        parameters.rc.i_lookahead = Int32(clamping: lookahead)
        parameters.i_sync_lookahead = Int32(clamping: syncLookahead)
        parameters.i_threads = Int32(clamping: threads)
        parameters.b_sliced_threads = usesSlicedThreads ? 1 : 0
        parameters.b_vfr_input = followsTimestamps ? 1 : 0
        // The library switches it off too, with a warning.
        if lookahead == 0 { parameters.rc.b_mb_tree = 0 }
    }

    // MARK: - Planning

    /// Changes what `settings` ask for.
    ///
    /// - Parameters:
    ///   - settings: Values of a session.
    ///   - untuned: What the preset leaves without the tune.
    ///   - processorCount: Processors that threads may be planned for.
    /// - Returns: What becomes of a preset, tune or thread count that was asked for, and of an unknown frame rate.
    mutating func plan(_ settings: ResolvedSettings, untuned: X264Latency, processorCount: Int) -> [Adjustment] {
        let request = settings.request
        let hasBPictures = request.profileLevel.profile?.allowsFrameReordering != false
        if !settings.plan.allowFrameReordering || !hasBPictures { bFrames = 0 }
        threads = request.threadCount ?? 0
        let asked = self
        // A zero-latency tune ignores timestamps, which is right only where the frame rate is known.
        if !settings.plan.isFrameRateKnown { followsTimestamps = true }
        if request.realTime { holdNothing(settings, processorCount: processorCount) }
        if request.realTime || request.maxFrameDelayCount != nil { usesSlicedThreads = false }
        if let limit = request.maxFrameDelayCount { fit(limit, processorCount: processorCount) }
        return adjustments(settings, asked: asked, untuned: untuned)
    }

    /// Gives up everything that holds pictures, whatever preset and tune say, but for threads that are asked for or
    /// that the load of the pictures needs.
    private mutating func holdNothing(_ settings: ResolvedSettings, processorCount: Int) {
        bFrames = 0
        lookahead = 0
        syncLookahead = 0
        // ``X264Pace`` follows the pictures' times instead.
        followsTimestamps = false
        guard settings.request.threadCount == nil else { return }
        let picture = settings.picture
        let macroblocks = Double((picture.codedWidth + 15) / 16 * ((picture.codedHeight + 15) / 16))
        let load = macroblocks * settings.plan.frameRate.framesPerSecond / Self.macroblocksPerThread
        threads = min(max(Int(min(load.rounded(.up), 128)), 1), processorCount)
    }

    /// Spends at most `limit` pictures: on timestamps first, then half on threads where their number is free, the rest
    /// on B pictures and lookahead, which share theirs.
    private mutating func fit(_ limit: Int, processorCount: Int) {
        var budget = limit
        followsTimestamps = followsTimestamps && budget > 0
        if followsTimestamps { budget -= 1 }
        let wanted = threads > 0 ? threads : min(processorCount * 3 / 2, budget / 2 + 1)
        threads = max(min(wanted, budget + 1), 1)
        budget -= threads - 1
        syncLookahead = 0
        fitBPictures(budget)
        lookahead = min(lookahead, budget)
    }

    /// Keeps the trellis with fewer B pictures where `budget` allows it three, else B pictures without it.
    private mutating func fitBPictures(_ budget: Int) {
        if usesTrellis, budget >= Self.trellisPictures(bFrames: 0) {
            bFrames = min(bFrames, budget / Self.trellisPicturesPerBPicture)
        } else {
            usesTrellis = false
            bFrames = min(bFrames, budget)
        }
    }

    private static let trellisPicturesPerBPicture = 4

    /// Pictures that the trellis holds.
    private static func trellisPictures(bFrames: Int) -> Int { max(bFrames, 3) * trellisPicturesPerBPicture }

    // MARK: - Saying so

    /// What holds pictures.
    var held: HeldPictures {
        let frameThreads = usesSlicedThreads ? 1 : threads
        let others = [
            usesTrellis && bFrames > 0 ? "a trellis (b-adapt 2) that decides where B pictures go" : nil,
            followsTimestamps ? "rate control that waits for the next timestamp" : nil,
        ]
        return HeldPictures(
            bPictures: bFrames, lookahead: lookahead, frameThreads: frameThreads == 0 ? nil : frameThreads,
            others: others.compactMap { $0 })
    }

    private func adjustments(_ settings: ResolvedSettings, asked: Self, untuned: Self) -> [Adjustment] {
        let request = settings.request
        var adjustments = held.adjustments(request, asked: asked.held, untuned: untuned.held)
        if let tune = request.tune, asked.usesSlicedThreads, !usesSlicedThreads {
            adjustments.append(
                Adjustment(
                    .tune, requested: tune, used: "\(tune) without sliced threads", reason: "a picture is one slice"))
        }
        if let asked = request.threadCount, asked > threads {
            adjustments.append(
                Adjustment(
                    .threadCount, requested: "\(asked)", used: "\(threads)",
                    reason: "each thread but the first holds a picture, and the frame delay allows no more"))
        }
        if let preset = request.preset, bFrames > 0, asked.usesTrellis, !usesTrellis {
            adjustments.append(
                Adjustment(
                    .preset, requested: preset, used: "\(preset) with b-adapt 1",
                    reason: "b-adapt 2 holds \(Self.trellisPictures(bFrames: bFrames)) pictures, and the frame delay "
                        + "allows no more than \(request.maxFrameDelayCount ?? 0)"))
        }
        guard !followsTimestamps else { return adjustments }
        if settings.live.rate.buffer == nil, settings.live.rate.control.bitsPerSecond != nil {
            adjustments.append(
                Adjustment(
                    .expectedFrameRate, requested: "unknown",
                    used: "\(settings.plan.frameRate) frames per second drive rate control, not the timestamps",
                    reason: "to follow timestamps takes a buffer that bounds the rate, or a frame of delay"))
        } else if !settings.plan.isFrameRateKnown {
            adjustments.append(
                Adjustment(
                    .expectedFrameRate, requested: "unknown",
                    used: "\(settings.plan.frameRate) frames per second in the parameter sets",
                    reason: "x264 signals a rate that varies only where it holds a picture to learn how long it lasts"))
        }
        return adjustments
    }
}
