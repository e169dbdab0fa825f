// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import TestSupport
import Testing

@testable import MediaFiles

@Suite struct InputFileTests {
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

    @Test("looking ahead, putting back and reading keep the order of the bytes")
    func lookahead() async throws {
        let bytes = (0..<3000).map { UInt8($0 % 251) }
        try await withTemporaryDirectory { folder in
            let file = try InputFile(path: try folder.write(bytes, to: "bytes"))
            #expect(file.size == 3000)
            #expect(Array(try file.peek(10)) == Array(bytes[..<10]))
            var head = [UInt8](repeating: 0, count: 600)
            #expect(try head.withUnsafeMutableBytes { try file.read(into: $0) } == 600)
            #expect(head == Array(bytes[..<600]))
            file.unread(head[500...])
            #expect(file.position == 500)
            var tail = [UInt8](repeating: 0, count: 4000)
            #expect(try tail.withUnsafeMutableBytes { try file.read(into: $0) } == 2500)
            #expect(Array(tail[..<2500]) == Array(bytes[500...]))
            #expect(file.seek(to: 2999))
            #expect(Array(try file.peek(5)) == [bytes[2999]])
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
