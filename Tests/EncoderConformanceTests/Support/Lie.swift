// SPDX-License-Identifier: MIT

import EncoderAPI

/// One way to take no notice of something.
struct Lie: Sendable, CustomStringConvertible {
    let description: String
    /// Whether an update from one to the other is answered with `.fromNextPicture` and forgotten.
    private(set) var forgetsUpdate: @Sendable (LiveParameters, LiveParameters) -> Bool = { _, _ in false }
    /// Whether a forced key frame is forgotten with these settings, after so many pictures.
    private(set) var forgetsForcing: @Sendable (LiveParameters, Int) -> Bool = { _, _ in false }
    private let change: @Sendable (inout ResolvedSettings) -> Void

    init(_ description: String, _ change: @escaping @Sendable (inout ResolvedSettings) -> Void = { _ in }) {
        self.description = description
        self.change = change
    }

    /// A lie that is told to an encoder which is not asked for all key frames.
    static func withoutForcing(
        _ description: String, _ condition: @escaping @Sendable (LiveParameters, _ after: Int) -> Bool
    ) -> Lie {
        var lie = Lie(description)
        lie.forgetsForcing = condition
        return lie
    }

    /// A lie of an encoder that goes on as before after some updates.
    static func withoutUpdates(
        _ description: String,
        _ condition: @escaping @Sendable (LiveParameters, LiveParameters) -> Bool = { _, _ in true }
    ) -> Lie {
        var lie = Lie(description)
        lie.forgetsUpdate = condition
        return lie
    }

    /// What the honest encoder is told instead of `settings`.
    func told(_ settings: ResolvedSettings) -> ResolvedSettings {
        var told = settings
        change(&told)
        return told
    }

    /// The ways to take no notice of a setting that capabilities list; none for a setting that is not known here, so
    /// that it cannot be listed without a lie about it.
    static func all(about setting: Setting) -> [Lie] { table[setting] ?? [] }

    /// Ways to take no notice of what no setting names, with the scenario that must find each.
    static let beyondSettings: [(lie: Lie, scenario: String)] = [
        (.withoutUpdates("forgets updates"), "live-bit-rate"),
        (
            .withoutUpdates("forgets new bounds") {
                $0.asked.minAllowedFrameQP != $1.asked.minAllowedFrameQP
                    || $0.asked.maxAllowedFrameQP != $1.asked.maxAllowedFrameQP
            },
            "live-quantizers"
        ),
        (
            .withoutUpdates("keeps the method it was opened with") {
                $0.rate.control.isConstantQuantizer != $1.rate.control.isConstantQuantizer
            },
            "live-rate-control"
        ),
        (
            .withoutUpdates("forgets another constant rate") { old, new in
                old.rate.control.isConstant && new.rate.control.isConstant
            },
            "constant-bit-rate"
        ),
        (
            .withoutUpdates("forgets another peak") { old, new in
                old.rate.control.isVariable && old.rate.control == new.rate.control
                    && old.rate.buffer?.peakBitsPerSecond != new.rate.buffer?.peakBitsPerSecond
            },
            "variable-bit-rate"
        ),
        (
            .withoutUpdates("forgets another buffer duration") { old, new in
                old.rate.control.isVariable && old.rate.control == new.rate.control
                    && old.rate.buffer?.peakBitsPerSecond == new.rate.buffer?.peakBitsPerSecond
            },
            "variable-bit-rate"
        ),
        (.withoutForcing("forces no key frames later on") { $1 > 60 }, "forced-key-frames"),
        (
            .withoutUpdates("forgets longer intervals") {
                $0.asked.maxKeyFrameInterval ?? .max < $1.asked.maxKeyFrameInterval ?? .max
            },
            "live-key-frame-interval"
        ),
        (
            .withoutForcing("forces nothing for an interval") { live, _ in live.asked.maxKeyFrameInterval != nil },
            "live-key-frame-interval"
        ),
        (
            .withoutForcing("forces nothing for a duration") { live, _ in live.asked.maxKeyFrameIntervalDuration != nil
            },
            "live-key-frame-interval"
        ),
    ]

    private static let table: [Setting: [Lie]] = [
        .realTime: [Lie("realTime off") { $0.request.realTime = false }],
        .profileLevel: [
            Lie("no profile") { $0.request.profileLevel.profile = nil },
            Lie("no level") { if !$0.isLevelFromCeiling { $0.plan.level = nil } },
        ],
        .h264EntropyMode: [
            Lie("no entropy mode") { $0.request.h264EntropyMode = nil },
            Lie("CAVLC always") { $0.request.h264EntropyMode = $0.request.h264EntropyMode == nil ? nil : .cavlc },
        ],
        .maxKeyFrameInterval: [Lie("no key-frame interval") { $0.live.asked.maxKeyFrameInterval = nil }],
        .maxKeyFrameIntervalDuration: [
            .withoutForcing("no interval in seconds") { live, _ in live.asked.maxKeyFrameIntervalDuration != nil }
        ],
        .forceKeyFrame: [.withoutForcing("no forced key frames") { _, _ in true }],
        .allowFrameReordering: [
            // One that never reorders is no lie: the session lists a reorder depth of 0 where reordering was asked for.
            Lie("reordering always") { $0.plan.allowFrameReordering = true }
        ],
        .allowOpenGOP: [
            Lie("closed GOP always") { $0.request.allowOpenGOP = false },
            Lie("open GOP always") { $0.request.allowOpenGOP = true },
        ],
        .maxFrameDelayCount: [Lie("any delay") { $0.request.maxFrameDelayCount = nil }],
        .sourceFrameCount: [Lie("no frame count") { $0.request.sourceFrameCount = nil }],
        .averageBitRate: [
            Lie("no average and no buffer") { settings in
                guard case .averageBitRate = settings.live.rate.control else { return }
                settings.live.rate = LiveParameters.Rate(.automatic)
            },
            Lie("no average within the buffer") { settings in
                guard case .averageBitRate = settings.live.rate.control else { return }
                settings.live.rate.control = .automatic
            },
        ],
        .constantBitRate: [
            Lie("no constant rate") { settings in
                if settings.live.rate.control.isConstant { settings.live.rate = LiveParameters.Rate(.automatic) }
            },
            Lie("an average, nothing filled up") { settings in
                guard case .constantBitRate(let rate) = settings.live.rate.control else { return }
                settings.live.rate.control = .averageBitRate(rate)
            },
            Lie("a second of buffer") { settings in
                if settings.live.rate.control.isConstant { settings.live.rate.buffer?.bits *= 7 }
            },
        ],
        .variableBitRate: [
            Lie("no variable rate") { settings in
                if settings.live.rate.control.isVariable { settings.live.rate = LiveParameters.Rate(.automatic) }
            },
            Lie("no mean below the peak") { settings in
                if settings.live.rate.control.isVariable { settings.live.rate.control = .automatic }
            },
        ],
        .vbvMaxBitRate: [
            Lie("any peak") { settings in
                guard settings.live.asked.vbvMaxBitRate != nil, settings.live.asked.vbvInitialDelayPercentage == nil
                else { return }
                settings.live.rate.buffer?.peakBitsPerSecond *= 4
            }
        ],
        .vbvBufferDuration: [
            Lie("any buffer") { settings in
                if settings.live.asked.vbvBufferDuration != nil { settings.live.rate.buffer?.bits *= 10 }
            }
        ],
        .vbvInitialDelayPercentage: [
            Lie("any initial delay") { settings in
                if settings.live.asked.vbvInitialDelayPercentage != nil { settings.position.bufferFullness = 0.9 }
            }
        ],
        .dataRateLimits: [
            Lie("no limits") { settings in
                guard case .averageBitRate(let average) = settings.live.rate.control else {
                    settings.live.rate.buffer = nil
                    return
                }
                settings.live.rate.buffer = BufferModel(peakBitsPerSecond: average, bits: average / 2 * 5)
            },
            Lie("no buffer outside the average mode") { settings in
                if case .averageBitRate = settings.live.rate.control { return }
                settings.live.rate.buffer = nil
            },
            Lie("twice the buffer") { settings in
                settings.live.rate.buffer?.bits *= 2
                settings.live.rate.buffer?.peakBitsPerSecond *= 2
            },
        ],
        .bitRateCeiling: [
            Lie("no level of the ceiling") { settings in
                if settings.isLevelFromCeiling { (settings.plan.level, settings.request.bitRateCeiling) = (nil, nil) }
            }
        ],
        .expectedFrameRate: [
            Lie("no frame rate") { ($0.plan.frameRate, $0.plan.isFrameRateKnown) = (30, false) }
        ],
        .quality: [
            Lie("any quality") { if case .quality = $0.live.rate.control { $0.live.rate.control = .automatic } }
        ],
        .constantQuantizer: [
            Lie("any quantizer") {
                if case .constantQuantizer = $0.live.rate.control { $0.live.rate.control = .automatic }
            }
        ],
        .constantRateFactor: [
            Lie("any rate factor") {
                if case .constantRateFactor = $0.live.rate.control { $0.live.rate.control = .automatic }
            }
        ],
        .minAllowedFrameQP: [Lie("no smallest quantizer") { $0.live.asked.minAllowedFrameQP = nil }],
        .maxAllowedFrameQP: [Lie("no largest quantizer") { $0.live.asked.maxAllowedFrameQP = nil }],
        .color: [
            Lie("no color") { $0.request.color = nil }, Lie("limited range") { $0.request.color?.isFullRange = false },
            Lie("the format's range ignored") { $0.request.pixelFormat = $0.request.pixelFormat.layout },
        ],
        .pixelAspectRatio: [Lie("no aspect ratio") { $0.request.pixelAspectRatio = nil }],
        .preset: [Lie("no preset") { $0.request.preset = nil }],
        .tune: [Lie("no tune") { $0.request.tune = nil }],
        .threadCount: [
            Lie("any threads") { $0.request.threadCount = nil }, Lie("one thread") { $0.request.threadCount = 1 },
        ],
        .nativeOptions: [Lie("no native options") { $0.request.nativeOptions = [] }],
    ]
}

extension RateControl {
    fileprivate var isConstant: Bool { if case .constantBitRate = self { true } else { false } }

    fileprivate var isVariable: Bool { if case .variableBitRate = self { true } else { false } }

    fileprivate var isConstantQuantizer: Bool {
        if case .constantQuantizer = self { true } else { false }
    }
}
