// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench
import MediaFiles
import TestSupport
import Testing

@Suite struct SkippingSourceTests {
    private static let pictureBytes = 64 * 64 * 3 / 2

    /// A clip of so many pictures, each of samples of its own number.
    private static func clip(_ count: Int, frameHeader: String = "FRAME") -> [UInt8] {
        (0..<count).reduce(into: Array("YUV4MPEG2 W64 H64 F25:1\n".utf8)) { file, number in
            file += Array("\(frameHeader)\n".utf8) + [UInt8](repeating: UInt8(number), count: pictureBytes)
        }
    }

    /// Bytes that this thread has read from files so far, as the kernel counts them.
    private static func bytesRead() throws -> Int {
        let text = try #require(SmallFile.text("/proc/thread-self/io"))
        return try #require(text.split(separator: "\n").first?.split(separator: " ").last.flatMap { Int($0) })
    }

    @Test("a scene far into uncompressed video is read without what lies before it")
    func unread() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(Self.clip(200), to: "clip.y4m")
            let source = SkippingSource(try VideoInput.open(path: path), count: 190)
            #expect(source.info.frameCount == 10)
            let before = try Self.bytesRead()
            let frame = try #require(try source.next())
            let read = try Self.bytesRead() - before
            #expect(frame.picture.withPlane(0) { bytes, _ in bytes[0] } == 190)
            #expect(frame.presentationTime.seconds == 7.6)
            #expect(read < 4 * Self.pictureBytes, "\(read) bytes were read")
            #expect(source.info.frameCount == 10)
        }
    }

    @Test("where pictures have to be read to get past them, the scene is the same")
    func readPast() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(Self.clip(20, frameHeader: "FRAME X1"), to: "clip.y4m")
            let source = SkippingSource(try VideoInput.open(path: path), count: 15)
            var numbers: [UInt8] = []
            while let frame = try source.next() { numbers.append(frame.picture.withPlane(0) { bytes, _ in bytes[0] }) }
            #expect(numbers == [15, 16, 17, 18, 19])
            #expect(try SkippingSource(try VideoInput.open(path: path), count: 21).next() == nil)
        }
    }
}
