// SPDX-License-Identifier: MIT

import EncoderAPI

/// One way to take no notice of something.
struct Lie: Sendable, CustomStringConvertible {
    let description: String
    /// Whether an update from one to the other is answered with true and forgotten.
    private(set) var forgetsUpdate: @Sendable (ResolvedSettings, ResolvedSettings) -> Bool = { _, _ in false }
    /// Whether a forced key frame is forgotten with these settings, after so many pictures.
    private(set) var forgetsForcing: @Sendable (ResolvedSettings, Int) -> Bool = { _, _ in false }
    private let change: @Sendable (inout ResolvedSettings) -> Void

    init(_ description: String, _ change: @escaping @Sendable (inout ResolvedSettings) -> Void = { _ in }) {
        self.description = description
        self.change = change
    }

    /// A lie that is told to an encoder which is not asked for all key frames.
    static func withoutForcing(
        _ description: String, _ condition: @escaping @Sendable (ResolvedSettings, _ after: Int) -> Bool
    ) -> Lie {
        var lie = Lie(description)
        lie.forgetsForcing = condition
        return lie
    }

    /// A lie of an encoder that goes on as before after some updates.
    static func withoutUpdates(
        _ description: String,
        _ condition: @escaping @Sendable (ResolvedSettings, ResolvedSettings) -> Bool = { _, _ in true }
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
        (.withoutUpdates("forgets new bounds") { ($0.minQP, $0.maxQP) != ($1.minQP, $1.maxQP) }, "live-quantizers"),
        (.withoutForcing("forces no key frames later on") { $1 > 60 }, "forced-key-frames"),
    ]

    private static let table: [Setting: [Lie]] = [
        .realTime: [Lie("realTime off") { $0.realTime = false }],
        .profileLevel: [
            Lie("no profile") { $0.profile = nil },
            Lie("no level") { $0.level = $0.isLevelFromCeiling ? $0.level : nil },
        ],
        .h264EntropyMode: [
            Lie("no entropy mode") { $0.entropyMode = nil },
            Lie("CAVLC always") { $0.entropyMode = $0.entropyMode == nil ? nil : .cavlc },
        ],
        .maxKeyFrameInterval: [Lie("no key-frame interval") { $0.maxKeyFrameInterval = 0 }],
        .maxKeyFrameIntervalDuration: [
            .withoutForcing("no interval in seconds") { settings, _ in settings.maxKeyFrameIntervalDuration > 0 }
        ],
        .forceKeyFrame: [.withoutForcing("no forced key frames") { _, _ in true }],
        .allowFrameReordering: [
            // One that never reorders is no lie: the session lists a reorder depth of 0 where reordering was asked for.
            Lie("reordering always") { $0.allowFrameReordering = true }
        ],
        .allowOpenGOP: [
            Lie("closed GOP always") { $0.allowOpenGOP = false }, Lie("open GOP always") { $0.allowOpenGOP = true },
        ],
        .maxFrameDelayCount: [Lie("any delay") { $0.maxFrameDelayCount = nil }],
        .sourceFrameCount: [Lie("no frame count") { $0.sourceFrameCount = 0 }],
        .averageBitRate: [
            Lie("no average and no buffer") { settings in
                guard case .averageBitRate = settings.rate.control else { return }
                settings.rate = ResolvedSettings.Rate(.automatic)
            },
            Lie("no average within the buffer") { settings in
                guard case .averageBitRate = settings.rate.control else { return }
                settings.rate.control = .automatic
            },
        ],
        .dataRateLimits: [
            Lie("no limits") { settings in
                guard case .averageBitRate(let average) = settings.rate.control else {
                    settings.rate.buffer = nil
                    return
                }
                settings.rate.buffer = BufferModel(peakBitsPerSecond: average, bits: average / 2 * 5)
            },
            Lie("no buffer outside the average mode") { settings in
                if case .averageBitRate = settings.rate.control { return }
                settings.rate.buffer = nil
            },
            Lie("twice the buffer") { settings in
                settings.rate.buffer?.bits *= 2
                settings.rate.buffer?.peakBitsPerSecond *= 2
            },
        ],
        .bitRateCeiling: [
            Lie("no level of the ceiling") { settings in
                if settings.isLevelFromCeiling { (settings.level, settings.isLevelFromCeiling) = (nil, false) }
            }
        ],
        .expectedFrameRate: [
            Lie("no frame rate") { ($0.frameRate, $0.isFrameRateKnown) = (30, false) }
        ],
        .quality: [Lie("any quality") { if case .quality = $0.rate.control { $0.rate.control = .automatic } }],
        .constantQuantizer: [
            Lie("any quantizer") { if case .constantQuantizer = $0.rate.control { $0.rate.control = .automatic } }
        ],
        .constantRateFactor: [
            Lie("any rate factor") { if case .constantRateFactor = $0.rate.control { $0.rate.control = .automatic } }
        ],
        .minAllowedFrameQP: [Lie("no smallest quantizer") { $0.minQP = nil }],
        .maxAllowedFrameQP: [Lie("no largest quantizer") { $0.maxQP = nil }],
        .color: [Lie("no colour") { $0.color = nil }, Lie("limited range") { $0.color?.isFullRange = false }],
        .pixelAspectRatio: [Lie("no aspect ratio") { $0.pixelAspectRatio = nil }],
        .preset: [Lie("no preset") { $0.preset = nil }],
        .tune: [Lie("no tune") { $0.tune = nil }],
        .threadCount: [Lie("any threads") { $0.threadCount = 0 }, Lie("one thread") { $0.threadCount = 1 }],
        .nativeOptions: [Lie("no native options") { $0.nativeOptions = [] }],
    ]
}
