// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension Scenario {
    static let meanLuma = Scenario(
        "mean-luma", "The mean luma of the first ten decoded pictures is within one level of the source's.",
        needsDecoder: true
    ) { context, findings in
        for effort in context.efforts {
            let configuration = context.configuration(effort)
            let run = try await context.run(configuration, GivenFrame.series(12))
            try await checkLuma(run, context, count: 10, "\(effort) effort", &findings)
        }
    }

    static let sizes = Scenario(
        "sizes",
        "Odd and tiny pictures are coded padded, shown cropped to even sides and described as given, or refused by name.",
        needsDecoder: true
    ) { context, findings in
        for (width, height) in [(2, 2), (1, 1), (16, 16), (17, 33), (65, 50), (66, 49), (129, 97), (320, 18)] {
            let configuration = context.configuration(width: width, height: height)
            let label = "\(width)x\(height)"
            do throws(EncoderError) {
                try await context.open(configuration)
            } catch {
                // A library may take no picture that small; it says so before anything is encoded.
                findings.expect(
                    [.width, .height].contains(error.setting), "\(label) to be coded, or refused by width or height",
                    seen: "\(error)")
                continue
            }
            let run = try await context.run(configuration, GivenFrame.series(3))
            findings.add(run.check(findings.scenario), in: label)
            // A handful of blocks does not average out; wrong edges or crops are further off.
            let decoded = try await checkLuma(run, context, count: 3, within: 4, label, &findings)
            let shown = (width: (width + 1) / 2 * 2, height: (height + 1) / 2 * 2)
            for picture in decoded.prefix(1) {
                findings.expect(
                    picture.width == shown.width && picture.height == shown.height,
                    "decoded pictures of \(shown.width)x\(shown.height) for \(label)",
                    seen: "\(picture.width)x\(picture.height)")
            }
            guard let picture = decoded.first else { continue }
            for (setting, asked, seen) in [(Setting.width, width, picture.width), (.height, height, picture.height)]
            where asked != seen {
                findings.expect(
                    run.adjustments.contains { $0.setting == setting && $0.used.hasPrefix("\(seen) shown") },
                    "an adjustment of \(setting.rawValue) that tells the \(seen) shown of \(label)",
                    seen: "\(run.adjustments)")
            }
            if let format = run.frames.first?.accessUnit?.format {
                findings.expect(
                    format.shownWidth == picture.width && format.shownHeight == picture.height,
                    "a format description that shows \(picture.width)x\(picture.height) for \(label)",
                    seen: "\(format.shownWidth)x\(format.shownHeight)")
            }
        }
    }

    static let pixelFormats = Scenario(
        "pixel-formats", "Every pixel format gives the same picture, also where its layout is converted.",
        needsDecoder: true
    ) { context, findings in
        var streams: [Int: (format: PixelFormat, units: [[UInt8]])] = [:]
        let depths = context.capabilities.bitDepths
        for format in PixelFormat.layouts where depths.contains(format.bitDepth) {
            let run = try await context.run(context.configuration(format: format), GivenFrame.series(4))
            findings.add(run.check(findings.scenario), in: "\(format)")
            let decoded = try await checkLuma(run, context, count: 4, "\(format)", &findings)
            findings.expect(
                decoded.allSatisfy { $0.format.bitDepth == format.bitDepth }, "\(format.bitDepth) bits for \(format)",
                seen: "\(decoded.map(\.format))")
            if !context.capabilities.directPixelFormats.contains(format) {
                findings.expect(
                    run.adjustments.contains { $0.setting == .pixelFormat },
                    "an adjustment that tells the conversion of \(format)", seen: "\(run.adjustments)")
            }
            let units = run.frames.compactMap { $0.accessUnit?.data }
            if let other = streams[format.bitDepth] {
                findings.expect(
                    units == other.units, "the same bytes from \(format) as from \(other.format)", seen: "others")
            }
            streams[format.bitDepth] = (format, units)
        }
        for format in PixelFormat.layouts where !depths.contains(format.bitDepth) {
            do throws(EncoderError) {
                _ = try context.session(context.configuration(format: format))
                findings.note("\(format) to be refused", seen: "a session")
            } catch {
                findings.expect(
                    [.unsupported, .unsupportedPixelFormat].contains(error.code), "\(format) to be refused as such",
                    seen: "\(error)")
            }
        }
    }

    /// Compares the mean luma of the first pictures with the source's, over the samples the source has.
    @discardableResult
    private static func checkLuma(
        _ run: SessionRun, _ context: ScenarioContext, count: Int, within tolerance: Double = 1, _ label: String,
        _ findings: inout Findings
    ) async throws -> [PixelBuffer] {
        let configuration = run.configuration
        let decoded = try await context.decode(run.frames)
        findings.expect(
            decoded.count == run.given.count, "\(run.given.count) decoded pictures (\(label))", seen: "\(decoded.count)"
        )
        let video = ScenarioContext.video(for: configuration)
        for (index, picture) in decoded.prefix(count).enumerated() {
            let expected = SyntheticVideo.meanLuma(of: try video.picture(at: index))
            let seen = SyntheticVideo.meanLuma(of: picture, width: configuration.width, height: configuration.height)
            findings.expect(
                abs(expected - seen) <= tolerance,
                "mean luma \(expected) of picture \(index) within \(tolerance) (\(label))",
                seen: "\(seen)")
        }
        return decoded
    }
}
