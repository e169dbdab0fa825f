// SPDX-License-Identifier: MIT

import EncoderAPI
import Foundation
import TestSupport
import Testing

@Suite struct ReadmeTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test("the README shows the example that is compiled here, to the letter")
    func example() throws {
        let readme = try String(
            contentsOf: folder.appending(path: "../../README.md").standardizedFileURL, encoding: .utf8)
        let source = try String(contentsOf: folder.appending(path: "Example.swift"), encoding: .utf8)
        let example = source.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
        #expect(example.split(separator: "\n").count <= 22)
        #expect(readme.contains("```swift\n\(example)```\n"))
    }

    @Test("the example's stream decodes to as many frames as it was given", .requiresProgram("ffprobe"))
    func decodes() async throws {
        try await withTemporaryDirectory { folder in
            var stream: [UInt8] = []
            try await encodeFade(frames: 50) { stream += $0 }
            let path = try folder.write(stream, to: "fade.h264")
            let result = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,width,height", "-of",
                "csv=p=0", path,
            ])
            #expect(result.text.trimmingCharacters(in: .whitespacesAndNewlines) == "640,360,50")
        }
    }
}
