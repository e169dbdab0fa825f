// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

/// Maps settings to the fields of `x265_param`: pure, one function per group of settings.
///
/// What no setting touches stays as the preset left it, so an unset setting means what the `x265` program would do, but
/// for open GOP, which the program turns on, and for what size or limits change (``X265Backend/programOptions(_:)``).
enum X265Parameters {
    /// Writes all settings into `parameters`, which hold the defaults of preset and tune.
    ///
    /// - Parameters:
    ///   - settings: Values of a session.
    ///   - parameters: Written into.
    ///   - untuned: The defaults of the preset without the tune.
    /// - Returns: What is done otherwise than asked.
    /// - Throws: ``EncoderError`` that names the value that the library cannot take.
    static func apply(
        _ settings: ResolvedSettings, to parameters: inout x265_param, untuned: x265_param
    ) throws(EncoderError) -> [Adjustment] {
        assignFixed(settings, &parameters)
        for setting in assigned { setting.assign(settings, &parameters) }
        var adjustments: [Adjustment] = []
        adjustments += try assignSize(settings.picture, &parameters)
        assignGOP(settings, &parameters)
        adjustments += try assignRate(settings, &parameters)
        adjustments += limitTree(&parameters)
        try assignLevel(settings, &parameters)
        adjustments += try assignTiming(settings, &parameters)
        if settings.live.rate.control.isConstantBitRate, isShort(settings) {
            parameters.totalFrames = 0
            adjustments += .noPlan(
                settings.request, reason: "with a constant bit rate libx265 holds all pictures of so short a source")
        }
        adjustments += assignThreadsAndDelay(settings.request, &parameters, untuned: untuned)
        return adjustments
    }

    /// The names for `x265_param_default_preset`: those given, or a fast start for a live source.
    static func presetAndTune(_ request: SessionConfiguration) -> (preset: String?, tune: String?) {
        guard request.realTime, request.preset == nil else { return (request.preset, request.tune) }
        return ("superfast", request.tune ?? "zerolatency")
    }

    /// The name for `x265_param_apply_profile`; nil leaves the choice to libx265, which goes by the bit depth.
    static func profileName(_ profile: Profile?) -> String? {
        switch profile {
        case .hevcMain: "main"
        case .hevcMain10: "main10"
        case .hevcMain12: "main12"
        default: nil
        }
    }

    /// The value for `numaPools`: nil leaves it to libx265 (all cores), "none" means no thread besides the frame's own.
    static func threadPools(count: Int?) -> String? {
        count.map { $0 == 1 ? "none" : String($0) }
    }

    // The session takes the stream apart itself, and libx265 can write messages to stderr only. Repeated parameter sets
    // count in rate control, so they are as in the program, but for sessions with limits, which count none: in 176x144
    // at 60 kbit/s they take a third where every picture is a key frame.
    private static func assignFixed(_ settings: ResolvedSettings, _ parameters: inout x265_param) {
        parameters.bAnnexB = 1
        parameters.bRepeatHeaders = settings.repeatsHeaders ? 1 : 0
        parameters.bEmitInfoSEI = 0
        parameters.logLevel = X265_LOG_NONE
    }

    /// Repeats headers where native options ask for access unit delimiters, which key frames do not have without.
    static func repeatHeadersWithDelimiters(_ parameters: inout x265_param) {
        if parameters.bEnableAccessUnitDelimiters != 0 { parameters.bRepeatHeaders = 1 }
    }

    private static func assignGOP(_ settings: ResolvedSettings, _ parameters: inout x265_param) {
        if !settings.plan.allowFrameReordering { parameters.bframes = 0 }
        if forcesEveryKeyFrame(settings) { assignIntraOnly(&parameters) }
    }

    private static func assignTiming(
        _ settings: ResolvedSettings, _ parameters: inout x265_param
    ) throws(EncoderError) -> [Adjustment] {
        (parameters.fpsNum, parameters.fpsDenom) = try settings.plan.frameRateTerms()
        // Where presentation times contradict a rate that is known, the session says so.
        guard !settings.plan.isFrameRateKnown else { return [] }
        return [
            Adjustment(
                .expectedFrameRate, requested: "unknown", used: "\(settings.plan.frameRate) frames per second",
                reason: "libx265 counts pictures, not time")
        ]
    }

    /// Whether the source is said to have no more than two seconds.
    private static func isShort(_ settings: ResolvedSettings) -> Bool {
        guard let count = settings.request.sourceFrameCount else { return false }
        return Double(count) <= 2 * settings.plan.frameRate.framesPerSecond.rounded(.up)
    }

    private static func assignThreadsAndDelay(
        _ request: SessionConfiguration, _ parameters: inout x265_param, untuned: x265_param
    ) -> [Adjustment] {
        if request.threadCount == 1 { parameters.frameNumThreads = 1 }
        // Real time holds nothing, whatever preset and tune say: the pool's threads share each picture, row by row.
        let limit = request.realTime ? 0 : request.maxFrameDelayCount
        let asked = X265Delay(parameters, request)
        let delay = limit.map(asked.limited) ?? asked
        delay.assign(to: &parameters)
        return delay.held.adjustments(request, asked: asked.held, untuned: X265Delay(untuned, request).held)
    }
}
