// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import TestSupport
import Testing

@testable import MediaFiles

@Suite struct ChangingInputTests {
    @Test("a Y4M from a pipe in pieces of any size reads as from a file", arguments: [1, 7, 64, 1000])
    func pipedVideo(piece: Int) throws {
        let samples = patternSamples(format: .i420, width: 15, height: 9, count: 5)
        let file = y4mFile(header: "W15 H9 F25:1", samples: samples, frameBytes: samples.count / 5)
        try withPipe(file, piece: piece) { path in
            let source = try VideoInput.open(path: path)
            #expect(source.info.frameCount == nil)
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            #expect(contents.samples == Samples(samples))
        }
    }

    @Test("a file that shrinks between two pictures is an error with the offset, not the end of the video")
    func shrinking() async throws {
        let samples = patternSamples(format: .i420, width: 128, height: 128, count: 6)
        let file = y4mFile(header: "W128 H128 F25:1", samples: samples, frameBytes: 24576)
        try await withTemporaryDirectory { folder in
            let path = try folder.write(file, to: "clip.y4m")
            let source = try VideoInput.open(path: path)
            #expect(try source.next() != nil)
            let end = file.count - 2 * 24582
            #expect(truncate(path, end) == 0)
            let rest = SourceContents(source)
            #expect(rest.count == 3)
            #expect(rest.error?.code == .truncated)
            #expect(rest.error?.byteOffset == Int64(end))
        }
    }
}
