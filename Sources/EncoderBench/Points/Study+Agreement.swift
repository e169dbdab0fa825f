// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import PictureQuality

extension Study {
    /// Refuses a study whose parts are out of range or contradict each other, as after an edit by hand.
    ///
    /// - Throws: ``EncoderBenchError`` that names the field as files have it, its value, and what was expected.
    package func checkAgreement() throws(EncoderBenchError) {
        for (index, clip) in clips.enumerated() { try clip.check("clips[\(index)]") }
        for (index, variant) in variants.enumerated() {
            do throws(OptionError) {
                _ = try variant.kind
            } catch {
                throw EncoderBenchError(.invalidPlan, reason: "variants[\(index)].encoder \(error)")
            }
        }
        for (index, pair) in pairs.enumerated() {
            try Self.check("pairs[\(index)].anchor", pair.anchor, in: variants.indices)
            try Self.check("pairs[\(index)].test", pair.test, in: variants.indices)
            if pair.anchor == pair.test {
                throw EncoderBenchError(.invalidPlan, reason: "pairs[\(index)]: anchor and test are both \(pair.test)")
            }
        }
        if let threads = threadsPerEncoder { try Self.check("threads_per_encoder", threads, in: 1..<257) }
        for name in metrics where Metric.named(name) == nil {
            throw EncoderBenchError(
                .invalidPlan, reason: "metrics '\(name)', expected \(Metric.all.map(\.name).joined(separator: ", "))")
        }
        for (index, point) in points.enumerated() { try check(point, "point \(index)") }
    }

    fileprivate static func check(_ name: String, _ value: Int, in range: Range<Int>) throws(EncoderBenchError) {
        guard !range.contains(value) else { return }
        throw EncoderBenchError(
            .invalidPlan, reason: "\(name) \(value), expected \(range.lowerBound)...\(range.upperBound - 1)")
    }

    private func check(_ point: PointSpec, _ name: String) throws(EncoderBenchError) {
        try Self.check(name + ": clip", point.clip, in: clips.indices)
        try Self.check(name + ": variant", point.variant, in: variants.indices)
        let (clip, work, variant) = (clips[point.clip], point.work, variants[point.variant])
        typealias Field = (name: String, stated: String, planned: String)
        let place = "clips[\(point.clip)]."
        let fields: [Field] = [
            (place + "path", clip.path, point.path), (place + "sha256", clip.digest, work.clipDigest),
            (place + "width", "\(clip.width)", "\(work.clipWidth)"),
            (place + "height", "\(clip.height)", "\(work.clipHeight)"),
            (place + "pixel_format", clip.pixelFormat, work.pixelFormat),
            (place + "frame_limit", Self.text(clip.frameLimit), Self.text(work.frameLimit)),
            (place + "raw", Self.text(clip.raw), Self.text(work.raw)),
            (place + "recognized_rate", Self.text(clip.recognizedRate), Self.text(work.recognizedRate)),
            ("variants[\(point.variant)].encoder", variant.encoder, work.encoder),
            ("variants[\(point.variant)].codec", variant.codec ?? work.codec, work.codec),
            (
                "metrics", metrics.sorted().joined(separator: ", "),
                work.measuredBy.keys.sorted().joined(separator: ", ")
            ),
        ]
        for field in fields where field.stated != field.planned {
            throw EncoderBenchError(
                .invalidPlan, reason: "\(field.name) \(field.stated), but \(name) has \(field.planned)")
        }
        try check(work, variant, "variants[\(point.variant)]", name)
    }

    /// Refuses a variant, or a number of threads, that the point's settings were not made with.
    private func check(
        _ work: PointWork, _ variant: Variant, _ variantName: String, _ name: String
    ) throws(EncoderBenchError) {
        let planned: SessionConfiguration
        var stated: SessionConfiguration
        do {
            planned = try work.configuration()
            stated = planned
            // Hardware has no threads to count.
            if planned.threadCount != nil { stated.threadCount = threadsPerEncoder }
            try variant.apply(to: &stated)
        } catch {
            throw EncoderBenchError(.invalidPlan, reason: "\(variantName), \(name): \(error)")
        }
        for row in PointWork.rows where row.value(in: stated) != row.value(in: planned) {
            let field = row.setting == .threadCount ? "threads_per_encoder" : "\(variantName), \(row.setting.rawValue)"
            let (stated, planned) = (Self.text(row.value(in: stated)), Self.text(row.value(in: planned)))
            throw EncoderBenchError(.invalidPlan, reason: "\(field) \(stated), but \(name) has \(planned)")
        }
        for option in stated.nativeOptions.dropFirst(planned.nativeOptions.count)
        where !planned.nativeOptions.contains(option) {
            throw EncoderBenchError(
                .invalidPlan,
                reason: "\(variantName), \(option.name) \(Self.text(option.value)), but \(name) does not have it")
        }
    }

    private static func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "none" }
}

extension ClipFacts {
    /// Refuses numbers that no clip has.
    fileprivate func check(_ name: String) throws(EncoderBenchError) {
        try Study.check(name + ".width", width, in: 1..<65536)
        try Study.check(name + ".height", height, in: 1..<65536)
        let frames = OptionParsing.frames
        if let frameLimit { try Study.check(name + ".frame_limit", frameLimit, in: 1..<frames.upperBound + 1) }
        if let expectedFrames, expectedFrames < 0 {
            throw EncoderBenchError(
                .invalidPlan, reason: "\(name).expected_frames \(expectedFrames), expected 0 or more")
        }
        if let bitsPerSecond, bitsPerSecond < 0 {
            throw EncoderBenchError(
                .invalidPlan, reason: "\(name).bits_per_second \(bitsPerSecond), expected 0 or more")
        }
        if let rate = framesPerSecond, !(rate.isFinite && rate > 0) {
            throw EncoderBenchError(.invalidPlan, reason: "\(name).frames_per_second \(rate), expected a number over 0")
        }
        if let rate = recognizedRate, (try? OptionParsing.frameRate(rate)) == nil {
            throw EncoderBenchError(
                .invalidPlan, reason: "\(name).recognized_rate '\(rate)', expected a rate such as 30000/1001")
        }
        if PixelFormat(rawValue: pixelFormat)?.isFourTwoZero != true {
            let names = PixelFormat.fourTwoZero.map(\.rawValue).joined(separator: ", ")
            throw EncoderBenchError(
                .invalidPlan, reason: "\(name).pixel_format '\(pixelFormat)', expected one of \(names)")
        }
    }
}
