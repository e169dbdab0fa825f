// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension Scenario {
    static let changedColor = Scenario(
        "changed-color",
        "Another color mid-stream, with another size too: no frame is lost, the next is a key frame that signals it."
            + " The first frame of another size alone signals the color in force.",
        settings: [.color], effects: [.color]
    ) { context, findings in
        var fullRange = ColorDescription.bt601NTSC
        fullRange.isFullRange = true
        let size = ScenarioContext.size
        let parts = [
            Part(size.width, size.height, .bt709), Part(size.width, size.height, .bt2100PQ),
            Part(size.height, size.width, .bt2100PQ), Part(size.width, size.height, fullRange),
        ]
        for first in [nil, parts[0].color] as [ColorDescription?] {
            try await check(parts, first, context, &findings)
        }
    }

    /// Pictures of one size and color.
    private struct Part {
        let width: Int
        let height: Int
        let color: ColorDescription

        init(_ width: Int, _ height: Int, _ color: ColorDescription) {
            (self.width, self.height, self.color) = (width, height, color)
        }

        /// Frames of each part.
        static let length = 3
    }

    /// Encodes `parts` in a session that is made with the color `first`.
    private static func check(
        _ parts: [Part], _ first: ColorDescription?, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        var configuration = context.configuration(width: parts[0].width, height: parts[0].height)
        configuration.color = first
        var given = GivenFrame.series(parts.count * Part.length)
        for index in given.indices {
            let part = parts[index / Part.length]
            (given[index].width, given[index].height) = (part.width, part.height)
        }
        let run = try await context.run(
            configuration, given,
            picture: { index throws(EncoderError) in
                let part = parts[index / Part.length]
                return try SyntheticVideo(format: .i420, width: part.width, height: part.height)
                    .picture(at: index % Part.length)
            },
            before: { index, session in
                guard index.isMultiple(of: Part.length) else { return }
                let part = parts[index / Part.length]
                try await session.changePictures(width: part.width, height: part.height, color: part.color)
            })
        let label = "from \(first.map { "\($0)" } ?? "no color") on"
        findings.add(run.check(findings.scenario), in: label)
        for (number, part) in parts.enumerated() {
            let indices = number * Part.length..<(number + 1) * Part.length
            findings.expect(
                run.syncIndices.contains(indices.lowerBound), "a key frame at the start of part \(number) (\(label))",
                seen: "\(run.syncIndices)")
            for index in indices {
                guard let format = run.frame(index)?.accessUnit?.format else { continue }
                let seen = try StreamHeaders(format).color
                findings.expect(
                    seen == part.color || run.adjusts(.color), "frame \(index) in \(part.color) (\(label))",
                    seen: String(describing: seen))
            }
        }
    }
}
