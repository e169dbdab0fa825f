// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let lateHeaders = Scenario(
        "late-headers",
        "Color, aspect ratio, entropy mode and level stand in the parameter sets of every later encoder as in the first's.",
        length: 4
    ) { context, findings in
        for effort in context.efforts {
            for mode in context.has(.h264EntropyMode) ? H264EntropyMode.allCases.map(Optional.some) : [nil] {
                let life = Life.ofHeaders(context, effort, mode)
                let label = "\(effort) effort\(mode.map { ", \($0)" } ?? "")"
                let lived = try await context.live(life, label, &findings)
                for (number, part) in life.parts.enumerated() {
                    for format in lived.formats(of: number) {
                        try check(format, lived, "in \(part.label), \(label)", &findings)
                    }
                }
            }
        }
    }

    /// Everything asked for that headers show, or an adjustment.
    private static func check(
        _ format: FormatDescription, _ lived: LivedLife, _ label: String, _ findings: inout Findings
    ) throws {
        let run = lived.run
        let asked = lived.life.configuration
        let headers = try StreamHeaders(format)
        if let color = asked.color {
            findings.expect(
                headers.color == color || run.adjusts(.color), "\(color) \(label)",
                seen: headers.color.map { "\($0)" } ?? "no color")
        }
        if let ratio = asked.pixelAspectRatio {
            findings.expect(
                headers.pixelAspectRatio?.reduced == ratio.reduced || run.adjusts(.pixelAspectRatio),
                "pixels of \(ratio) \(label)", seen: headers.pixelAspectRatio.map { "\($0)" } ?? "no shape")
        }
        if let mode = asked.h264EntropyMode {
            findings.expect(
                headers.usesCABAC == (mode == .cabac) || run.adjusts(.h264EntropyMode), "\(mode) \(label)",
                seen: headers.usesCABAC == true ? "CABAC" : "CAVLC")
        }
        if let level = asked.profileLevel.level {
            findings.expect(
                headers.level == level || run.adjusts(.profileLevel), "level \(level) in tenths \(label)",
                seen: "\(headers.level)")
        }
    }
}

extension Life {
    /// A life with everything that headers show, in which encoders follow each other for every reason.
    fileprivate static func ofHeaders(
        _ context: ScenarioContext, _ effort: ScenarioContext.Effort, _ mode: H264EntropyMode?
    ) -> Life {
        let size = ScenarioContext.size
        var configuration = configuration(context, effort)
        if context.has(.color) { configuration.color = .bt2100PQ }
        if context.has(.pixelAspectRatio) {
            configuration.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 37, verticalSpacing: 30)
        }
        if context.has(.profileLevel) { configuration.profileLevel = ProfileLevel(level: 40) }
        configuration.h264EntropyMode = mode
        let wide = Change.pictures(width: size.width, height: size.height)
        let high = Change.pictures(width: size.height, height: size.width)
        let rates = context.has(.averageBitRate) ? [300_000, 200_000, 100_000, 250_000, 150_000] : []
        // A level bounds the bits, which not every mode can promise.
        configuration.live.rateControl = rates.first.map(RateControl.averageBitRate) ?? .automatic
        let updates = rates.dropFirst().enumerated().map { number, rate in
            Part("update \(number + 1)", .settings { $0.averageBitRate = rate }, count: 3)
        }
        return Life(
            configuration: configuration,
            parts: [Part("the first encoder", count: 3), Part("another size", high, count: 3)] + updates + [
                Part("the first size again", wide, count: 3), Part("after complete()", .completion, count: 3),
                Part("the other size again", high, count: 3), Part("after another complete()", .completion, count: 3),
            ])
    }
}

extension LivedLife {
    /// The formats that frames of a part have, each once.
    fileprivate func formats(of part: Int) -> Set<FormatDescription> {
        Set(frames(of: part).compactMap { $0.accessUnit?.format })
    }
}
