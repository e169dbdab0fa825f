// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension Scenario {
    static let changedPictures = Scenario(
        "changed-pictures",
        "Pictures of another size or format mid-stream: no frame is lost, the next is a key frame with a format of its own.",
        needsDecoder: true
    ) { context, findings in
        var parts = [
            Part(128, 96), Part(96, 128), Part(128, 96, .nv12), Part(127, 95), Part(320, 180), Part(64, 64),
        ]
        if let deep = context.format(bitDepth: 10) { parts.append(Part(128, 96, deep)) }
        for effort in context.efforts {
            try await check(parts, effort, context, &findings)
        }
    }

    /// Pictures of one size and format.
    private struct Part {
        let video: SyntheticVideo

        init(_ width: Int, _ height: Int, _ format: PixelFormat = .i420) {
            video = SyntheticVideo(format: format, width: width, height: height)
        }

        /// Frames of each part: not so many that an encoder with lookahead has let one go before the next part.
        static let length = 6
    }

    private static func check(
        _ parts: [Part], _ effort: ScenarioContext.Effort, _ context: ScenarioContext, _ findings: inout Findings
    ) async throws {
        let first = parts[0].video
        let configuration = context.configuration(
            effort, width: first.width, height: first.height, format: first.format)
        var given = GivenFrame.series(parts.count * Part.length)
        for index in given.indices {
            let video = parts[index / Part.length].video
            (given[index].width, given[index].height) = (video.width, video.height)
        }
        let run = try await context.run(
            configuration, given,
            picture: { index throws(EncoderError) in
                try parts[index / Part.length].video.picture(at: index % Part.length)
            },
            before: { index, session in
                guard index > 0, index.isMultiple(of: Part.length) else { return }
                let video = parts[index / Part.length].video
                try await session.changePictures(width: video.width, height: video.height, pixelFormat: video.format)
            })
        findings.add(run.check(findings.scenario), in: "\(effort) effort")
        for (number, part) in parts.enumerated() {
            let indices = number * Part.length..<(number + 1) * Part.length
            let frames = run.frames.filter { ($0.token as? Int).map(indices.contains) ?? false }
            let label = "part \(number) of \(part.video.width)x\(part.video.height), \(effort) effort"
            findings.expect(
                run.syncIndices.contains(indices.lowerBound), "a key frame at the start of \(label)",
                seen: "\(run.syncIndices)")
            try await checkPictures(of: frames, part, label, context, &findings)
        }
    }

    /// Each part decodes by itself to the pictures that were given.
    private static func checkPictures(
        of frames: [EncodedFrame], _ part: Part, _ label: String, _ context: ScenarioContext,
        _ findings: inout Findings
    ) async throws {
        let decoded = try await context.decode(frames)
        findings.expect(
            decoded.count == Part.length, "\(Part.length) decoded pictures in \(label)", seen: "\(decoded.count)")
        let shown = ((part.video.width + 1) / 2 * 2, (part.video.height + 1) / 2 * 2)
        for (index, picture) in decoded.prefix(Part.length).enumerated() {
            findings.expect(
                (picture.width, picture.height) == shown && picture.format.bitDepth == part.video.format.bitDepth,
                "pictures of \(shown.0)x\(shown.1) in \(part.video.format.bitDepth) bits in \(label)",
                seen: "\(picture.width)x\(picture.height) in \(picture.format.bitDepth)")
            let error = try part.video.picture(at: index).meanSquaredError(to: picture)
            findings.expect(
                error < 160, "picture \(index) of \(label) with a luma error of less than 160", seen: "\(error)")
        }
    }
}
