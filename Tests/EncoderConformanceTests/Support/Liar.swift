// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging

/// A back end that says and lists what another one does, and takes no notice of one thing it is asked for.
struct Liar: ImmediateBackend {
    let honest: any ImmediateBackend
    let lie: Lie

    var identifier: String { honest.identifier }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try honest.listEncoders() }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        try honest.check(lie.told(settings), for: encoder)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        LyingEncoder(
            try honest.makeEncoder(encoder, settings: lie.told(settings), logger: logger), settings, lie)
    }
}

/// The open encoder of a ``Liar``.
private final class LyingEncoder: FrameEncoder {
    private let honest: any FrameEncoder
    private let settings: ResolvedSettings
    private var live: LiveParameters
    private let lie: Lie
    private var count = 0

    init(_ honest: any FrameEncoder, _ settings: ResolvedSettings, _ lie: Lie) {
        self.honest = honest
        self.settings = settings
        live = settings.live
        self.lie = lie
    }

    var reorderDepth: Int { honest.reorderDepth }
    var maximumDelay: Int { honest.maximumDelay }
    var depth: Int { honest.depth }
    var patience: Duration { honest.patience }
    var inFlight: Int { honest.inFlight }

    func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError) {
        try honest.collect(until: deadline, emit: emit)
    }

    var adjustments: [Adjustment] { honest.adjustments }
    var parameterSets: [[UInt8]]? { get throws(EncoderError) { try honest.parameterSets } }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        var options = picture.options
        if lie.forgetsForcing(live, count) { options.forceKeyFrame = false }
        count += 1
        try honest.encode(
            SourcePicture(id: picture.id, pixelBuffer: picture.pixelBuffer, ticks: picture.ticks, options: options),
            emit: emit)
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        try honest.flush(emit: emit)
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        if lie.forgetsUpdate(self.live, live) { return .fromNextPicture }
        self.live = live
        var next = settings
        next.live = live
        return try honest.update(lie.told(next).live)
    }
}
