// SPDX-License-Identifier: MIT

import EncoderAPI
import Foundation
import ParameterSets
import TestSupport
import Testing
import X264Backend
import X265Backend

@Suite struct DescribingTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path).standardizedFileURL, encoding: .utf8)
    }

    @Test("the documentation shows the examples that are compiled here, to the letter")
    func examples() throws {
        let example = try text("DescribeExample.swift").split(separator: "\n\n", maxSplits: 1).last ?? ""
        let page = try text("../../Sources/ParameterSets/ParameterSets.docc/DescribingAStream.md")
        #expect(page.contains("```swift\n\(example)```\n") && example.split(separator: "\n").count <= 22)
        let lines = try text("FiveLines.swift").split(separator: "\n").filter { $0.hasPrefix("    ") }
        let five = lines.map { $0.dropFirst(4) + "\n" }.joined()
        #expect(lines.count == 5)
        for place in ["../../README.md", "../../Sources/ParameterSets/ParameterSets.docc/ParameterSets.md"] {
            #expect(try text(place).contains("```swift\n\(five)```\n"), "\(place)")
        }
    }

    @Test(
        "the other pages show their examples to the letter",
        arguments: [
            ("AccessUnitsExample", "AccessUnitsAndKeyFrames"), ("MakingExample", "MakingParameterSets"),
            ("SEIExample", "ReadingSEI"),
        ])
    func pages(source: String, page: String) throws {
        let example = try text("\(source).swift").split(separator: "\n\n", maxSplits: 1).last ?? ""
        let shown = try text("../../Sources/ParameterSets/ParameterSets.docc/\(page).md")
        #expect(!example.isEmpty && shown.contains("```swift\n\(example)```\n"))
    }

    @Test(
        "an MP4's avcC, an hvcC and raw streams are described alike", .requiresProgram(.ffmpeg),
        arguments: ["libx264", "libx265"])
    func files(encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            var lines: Set<String> = []
            for name in ["clip.mp4", encoder == "libx264" ? "clip.h264" : "clip.hevc"] {
                let path = folder.path(name)
                try await ExternalProgram.ffmpeg.run([
                    "-v", "error", "-f", "lavfi", "-i", "testsrc=size=176x144:rate=25", "-frames:v", "2", "-pix_fmt",
                    "yuv420p", "-c:v", encoder, path,
                ])
                let description = try describe([UInt8](Data(contentsOf: URL(filePath: path))))
                #expect(description.displaySize == .init(width: 176, height: 144))
                #expect(description.frameRate == Ratio(25, 1))
                lines.insert(description.description)
            }
            #expect(lines.count == 1 && lines.first?.contains("176x144") == true, "\(lines)")
        }
    }

    @Test("the example refuses a box that is smaller than its own header", arguments: 0..<9 as Range<UInt8>)
    func smallBoxes(size: UInt8) {
        #expect(throws: ParameterSetError.self) { try describe([0, 0, 0, size] + Array("avcC".utf8)) }
    }

    @Test("a session's format is described as what it was asked for", arguments: [VideoCodec.h264, .hevc])
    func session(codec: VideoCodec) async throws {
        let configuration = SessionConfiguration(codec: codec, width: 64, height: 48, pixelFormat: .nv12)
        let session =
            switch codec {
            case .h264: try CompressionSession(configuration, encoder: X264Backend())
            case .hevc: try CompressionSession(configuration, encoder: X265Backend())
            }
        var buffer = try session.pixelBufferPool.makeMutablePixelBuffer()
        for plane in 0..<2 {
            buffer.withMutablePlane(plane) { bytes, _ in for index in bytes.indices { bytes[index] = 128 } }
        }
        try await session.encode(PixelBuffer(buffer), at: MediaTime(value: 0, timescale: 30))
        try await session.finish()
        var descriptions: [SequenceDescription] = []
        for try await frame in session.encodedFrames {
            guard let record = frame.accessUnit?.format.configurationRecord else { continue }
            let description = try codec == .h264 ? SequenceDescription(avcC: record) : SequenceDescription(hvcC: record)
            descriptions.append(description)
        }
        let description = try #require(descriptions.first)
        #expect(description.displaySize == .init(width: 64, height: 48) && description.bitDepthLuma == 8)
        #expect(description.codec == (codec == .h264 ? .h264 : .hevc) && description.chromaFormat == .yuv420)
    }
}
