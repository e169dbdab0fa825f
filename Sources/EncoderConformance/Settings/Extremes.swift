// SPDX-License-Identifier: MIT

import EncoderAPI

// What capabilities promise at their ends.
extension Scenario {
    static let extremeSizes = Scenario(
        "extreme-sizes",
        "The smallest sides that are listed are coded, as are those next to them, and the longest or their shape is refused."
    ) { context, findings in
        let (widths, heights) = (context.capabilities.codedWidths, context.capabilities.codedHeights)
        let step = context.capabilities.sizeAlignment
        let (width, height) = (widths.lowerBound, heights.lowerBound)
        let sizes = [
            (width, height), (min(width + step, widths.upperBound), height),
            (width, min(height + step, heights.upperBound)), (widths.upperBound, max(height, 64)),
            (max(width, 64), heights.upperBound),
        ]
        for (number, (width, height)) in sizes.enumerated() {
            let configuration = context.configuration(width: width, height: height)
            do {
                let run = try await context.run(configuration, GivenFrame.series(2), content: .flat)
                findings.add(run.check(findings.scenario), in: "\(width)x\(height)")
            } catch let error as EncoderError {
                // No level has pictures of every shape (H.264 A.3.1, HEVC A.4.1).
                let isShape = number > 2 && [.conflictingSettings, .unsupported].contains(error.code)
                findings.expect(
                    isShape || [.width, .height].contains(error.setting) && number > 2,
                    "pictures of \(width)x\(height), as listed", seen: "\(error)")
            }
        }
    }

    static let fineFormats = Scenario(
        "fine-formats", "Each format and depth decodes to pictures of 40 dB or more at a small quantizer.",
        settings: [.constantQuantizer], needsDecoder: true
    ) { context, findings in
        let legal = context.capabilities.quantizers
        let quantizer = min(max(legal.lowerBound, 10), legal.upperBound)
        for format in PixelFormat.layouts where context.capabilities.bitDepths.contains(format.bitDepth) {
            var configuration = context.configuration(format: format)
            configuration.live.rateControl = .constantQuantizer(quantizer)
            let run = try await context.run(configuration, GivenFrame.series(4))
            findings.add(run.check(findings.scenario), in: "\(format)")
            let decoded = try await context.decode(run.frames)
            let video = ScenarioContext.video(for: configuration)
            for (index, picture) in decoded.enumerated() {
                for component in PixelBuffer.Component.allCases {
                    let error = try video.picture(at: index).meanSquaredError(to: picture, in: component)
                    // 40 dB of 255² are 6.5.
                    findings.expect(
                        error < 6.5,
                        "picture \(index) of \(format) with an error below 6.5, 40 dB, in \(component) at quantizer \(quantizer)",
                        seen: "\(error)")
                }
            }
        }
    }

    static let quantizerBounds = Scenario(
        "quantizer-bounds", "The smallest and the largest quantizer that are listed are those of slices.",
        settings: [.constantQuantizer]
    ) { context, findings in
        let legal = context.capabilities.quantizers
        for quantizer in [legal.lowerBound, legal.upperBound] {
            var configuration = context.configuration()
            configuration.live.rateControl = .constantQuantizer(quantizer)
            let run = try await context.run(configuration, GivenFrame.series(4))
            findings.add(run.check(findings.scenario), in: "quantizer \(quantizer)")
            let seen = Set(try run.slices().map(\.quantizer))
            findings.expect(
                seen.contains(quantizer), "slices of quantizer \(quantizer), which is listed", seen: "\(seen.sorted())")
        }
    }

    static let slowerPresets = Scenario(
        "slower-presets", "The slowest preset is not worse than the fastest in both bytes and picture.",
        settings: [.preset, .constantQuantizer], needsDecoder: true
    ) { context, findings in
        var results: [(bytes: Int, error: Double)] = []
        for preset in [context.capabilities.presets.first, context.capabilities.presets.last] {
            var configuration = context.configuration()
            configuration.preset = preset
            configuration.live.rateControl = .constantQuantizer(28)
            let run = try await context.run(configuration, GivenFrame.series(12))
            let video = ScenarioContext.video(for: configuration)
            let errors = try await context.decode(run.frames).enumerated().map { index, picture in
                try video.picture(at: index).meanSquaredError(to: picture)
            }
            results.append((run.totalBytes, errors.reduce(0, +) / Double(max(errors.count, 1))))
        }
        findings.expect(
            results[1].bytes * 100 <= results[0].bytes * 101 || results[1].error <= results[0].error * 1.02,
            "with the slowest preset no more than the \(results[0].bytes) bytes of the fastest, or no larger error than "
                + "\(results[0].error)", seen: "\(results[1].bytes) bytes and \(results[1].error)")
    }
}
