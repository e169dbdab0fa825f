// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import EncoderBench
import Logging
import MediaFiles
import PictureQuality

/// A command that makes a study: `compare` and `plan`.
///
/// Each has these groups of options itself and not in a group of its own: in a debug build the parser takes five times
/// as long for each group in a group.
protocol StudyCommand: AsyncParsableCommand {
    var curveOptions: CurveOptions { get }
    var devices: DeviceOptions { get }
    var quality: MetricOptions { get }
    var rates: RateListOptions { get }
    var options: EncoderOptions { get }
    var inputOptions: InputOptions { get }
}

extension StudyCommand {
    private var preset: [[String]]? { curveOptions.preset }
    private var variant: [Variant] { curveOptions.variant }
    private var pairing: [Pairing] { curveOptions.pairing }
    private var encoders: [EncoderKind] { curveOptions.encoders }

    /// Refuses options of the study that cannot be, or not together.
    func validateStudy() throws {
        for names in preset ?? [] where names.count > 1 && names.count != encoders.count {
            throw ValidationError(
                "--preset \(names.joined(separator: ":")) names \(names.count) presets for \(encoders.count) encoders")
        }
        do throws(OptionError) {
            try ComparedOptions.check(options.native)
            try OptionParsing.check(curveOptions.group, of: curveOptions.inputs)
            for variant in variant { try ComparedOptions.check(variant) }
            try OptionParsing.refuseRepeated(
                (preset ?? []).map { names in
                    let each = names.count == 1 ? encoders.map { _ in names[0] } : names
                    return (names.joined(separator: ":"), each)
                }, of: "--preset")
            for names in preset ?? [] {
                if names.count == 1 { try Variant.check(preset: names[0], of: encoders) }
                for (kind, name) in zip(encoders, names) where names.count > 1 {
                    try Variant.check(preset: name, of: [kind])
                }
            }
            if !variant.isEmpty, let codecs = curveOptions.codec, codecs.count > 1 {
                throw OptionError(.conflicting, "--variant is one curve, but --codec names \(codecs.count) codecs")
            }
            if !pairing.isEmpty { try refuseWithPairing() } else if !variant.isEmpty { try refuseWithVariant() }
            try rates.checkCaps()
            var kinds: [EncoderKind] = []
            for variant in try curves().variants { kinds.append(try variant.kind) }
            try devices.check(isFor: kinds)
            // A curve of another encoder is there to be compared with.
            if let codecs = curveOptions.codec, kinds.allSatisfy({ $0.onlyCodec != nil }) {
                try OptionParsing.check(codecs: codecs, of: kinds)
            }
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Refuses options that say otherwise than a pairing does.
    private func refuseWithPairing() throws(OptionError) {
        let settings = pairing.flatMap { $0.curves.flatMap(\.settings) }
        func has(_ setting: Setting) -> Bool { settings.contains { $0.hasPrefix(setting.rawValue + "=") } }
        let others = OptionParsing.given([
            "--encoder": curveOptions.encoder != nil, "--codec": curveOptions.codec != nil,
            "--preset": preset != nil,
            "--variant": !variant.isEmpty, "--anchor": curveOptions.anchor != nil,
            "--crf": !rates.crf.isEmpty, "--qp": !rates.qp.isEmpty,
            "--average-bit-rate": !rates.averageBitRate.isEmpty, "--cap": !rates.cap.isEmpty,
            "--cap-window": rates.capWindow != nil,
            "--profile-level": options.profileLevel != .automatic && has(.profileLevel),
            "--entropy-mode": options.entropyMode != nil && has(.h264EntropyMode),
            "--real-time": options.realTime && has(.realTime),
            "--no-frame-reordering": options.noFrameReordering && has(.allowFrameReordering),
            "--max-frame-delay-count": options.maxFrameDelayCount != nil && has(.maxFrameDelayCount),
        ])
        guard let first = others.first else { return }
        throw OptionError(.conflicting, "--pairing has curves, settings and bit rates of its own; leave \(first) out")
    }

    /// Refuses what a variant says for itself.
    private func refuseWithVariant() throws(OptionError) {
        let others = OptionParsing.given(["--encoder": curveOptions.encoder != nil, "--preset": preset != nil])
        guard let first = others.first else { return }
        throw OptionError(.conflicting, "--variant has an encoder and a preset of its own; leave \(first) out")
    }

    /// The curves, and which are held against each other.
    func curves() throws(OptionError) -> (variants: [Variant], pairs: [Study.Pair]) {
        if !pairing.isEmpty {
            var (variants, pairs): ([Variant], [Study.Pair]) = ([], [])
            for pairing in pairing {
                let anchor = variants.count
                pairs += pairing.tests.indices.map { Study.Pair(anchor: anchor, test: anchor + 1 + $0) }
                variants += pairing.curves
            }
            return (variants, pairs)
        }
        var (variants, pairs) =
            variant.isEmpty
            ? Study.paired(encoders: encoders, codecs: curveOptions.codecs, presets: preset ?? [[nil]])
            : (try variantsWithCodecs(), variant.indices.dropFirst().map { Study.Pair(anchor: 0, test: $0) })
        for index in variants.indices {
            variants[index] = try variants[index].withUsualPreset(realTime: options.realTime)
        }
        let labels = variants.map(\.label)
        for (index, label) in labels.enumerated() where labels[..<index].contains(label) {
            throw OptionError(.repeated, "the curve '\(label)' is named twice")
        }
        if let anchor = curveOptions.anchor {
            guard let place = labels.firstIndex(of: anchor) else {
                throw OptionError(
                    .unknownName, "--anchor '\(anchor)', expected one of \(labels.joined(separator: ", "))")
            }
            pairs = variants.indices.filter { $0 != place }.map { Study.Pair(anchor: place, test: $0) }
        }
        return (variants, pairs)
    }

    /// The curves of `--variant`, each with its codec where the encoder has several.
    private func variantsWithCodecs() throws(OptionError) -> [Variant] {
        var variants = variant
        for index in variants.indices where try variants[index].kind.onlyCodec == nil {
            variants[index].codec = curveOptions.codecs[0].rawValue
        }
        return variants
    }

    /// What a curve is encoded at on a clip, best first; the library's default, which is shown beside, comes last.
    func rates(ofVariant index: Int, _ kind: EncoderKind, on clip: VideoSourceInfo) -> [PointRate] {
        guard !pairing.isEmpty else { return rates.rates(for: kind) + [PointRate(.automatic)] }
        let own = pairing.flatMap { pairing in pairing.curves.map { _ in pairing } }[index]
        return own.rates(kind, clip).map { PointRate($0) }
    }

    /// The plan, with what is wrong with clips in its failures.
    ///
    /// - Throws: What is wrong with the command, as ``StudyPlanner`` says.
    func study(interruption: OneShotEvent = OneShotEvent(), logger: Logger) async throws -> Study {
        let curves = try curves()
        let metrics = quality.measured
        var study = Study(
            variants: curves.variants, pairs: curves.pairs, threadsPerEncoder: options.comparedThreadCount,
            metrics: metrics.map(\.name))
        let planner = PointPlanner(
            settings: options.common, input: inputOptions.clips, device: devices.device,
            measuredBy: try quality.tools.makers(of: metrics), logger: logger)
        let variants = study.variants
        var clips = try BundledClip.planner(curveOptions.inputs, planner, interruption: interruption)
        let (describe, groups) = (clips.describe, curveOptions.group)
        clips.describe = { clip, path in
            describe(&clip, path)
            let names = groups.filter { $0.paths.contains(path) }.map(\.name)
            clip.groups = names.isEmpty ? nil : names
        }
        try await clips.planCommand(&study) { index, clip, encoder in
            var curve: [PointSpec] = []
            for rate in rates(ofVariant: index, try variants[index].kind, on: clip.info) {
                do {
                    curve.append(
                        try await planner.point(variants[index], rate.control, cap: rate.cap, of: clip, on: encoder))
                } catch let error as EncoderError {
                    throw variant.isEmpty ? error : variant[index].blamed(for: error, amongOthers: options.native)
                }
            }
            return curve
        }
        study.metrics = quality.measured(of: study.clips).map(\.name)
        for failure in study.failures { logger.error("\(failure.clip): \(failure.reason)") }
        return study
    }
}
