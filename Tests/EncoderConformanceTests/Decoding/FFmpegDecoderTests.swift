// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend
import X265Backend

@Suite struct FFmpegDecoderTests {
    @Test(
        "the program shows the pictures that the library shows", .requiresProgram(.ffmpeg), .requiresLibAV,
        arguments: [VideoCodec.h264, .hevc], [PixelFormat.i420, .i010])
    func agrees(codec: VideoCodec, format: PixelFormat) async throws {
        let stream = try await stream(codec, format)
        let pictures = try await FFmpegDecoder().decode(stream)
        let others = try await LibAVReferenceDecoder().decode(stream)
        #expect(pictures.count == 10 && others.count == 10)
        for (picture, other) in zip(pictures, others) {
            #expect((picture.width, picture.height) == (130, 98))
            #expect(picture.format == format)
            for plane in 0..<format.planeCount { #expect(row(picture, plane) == row(other, plane)) }
        }
    }

    @Test("a damaged stream is refused with the program's words", .requiresProgram(.ffmpeg))
    func damage() async throws {
        let sound = try await stream(.h264, .i420)
        let units = sound.accessUnits.enumerated().map { index, unit in
            // Half of a picture is missing: with a changed byte alone a stream may still be one.
            index == 3
                ? unit.with {
                    let last = $0.nalUnits.removeLast()
                    $0.nalUnits.append(last.lowerBound..<last.upperBound - last.count / 2)
                    $0.data.removeLast(last.count / 2)
                } : unit
        }
        let damaged = EncodedStream(
            codec: .h264,
            frames: units.map { EncodedFrame(outcome: .encoded($0), presentationTime: .zero, decodeTime: .zero) })
        let error = await #expect(throws: DecoderError.self) { try await FFmpegDecoder().decode(damaged) }
        #expect(error?.reason.contains("ffmpeg") == true)
    }

    @Test("a program that is not there is named")
    func missing() {
        let error = #expect(throws: DecoderError.self) { try FFmpegDecoder("no-such-decoder") }
        #expect(error?.reason.contains("no-such-decoder") == true)
    }

    @Test("a program that writes no pictures is refused with its status", arguments: ["/bin/false", "/bin/cat"])
    func other(path: String) async throws {
        let stream = try await stream(.h264, .i420)
        await #expect(throws: DecoderError.self) { try await FFmpegDecoder(path).decode(stream) }
    }

    /// Ten pictures with odd sides.
    private func stream(_ codec: VideoCodec, _ format: PixelFormat) async throws -> EncodedStream {
        let backend: any ImmediateBackend = codec == .h264 ? X264Backend() : X265Backend()
        let configuration = SessionConfiguration(codec: codec, width: 129, height: 97, pixelFormat: format)
        let session = try CompressionSession(configuration, encoder: backend)
        let video = SyntheticVideo(format: format, width: 129, height: 97)
        for index in 0..<10 {
            try await session.encode(try video.picture(at: index), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return EncodedStream(codec: codec, frames: frames)
    }

    /// The samples of a plane without what pads its rows.
    private func row(_ picture: PixelBuffer, _ plane: Int) -> [UInt8] {
        let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
        return picture.withPlane(plane) { bytes, stride in
            (0..<picture.format.rows(plane: plane, height: picture.height)).flatMap { row in
                Array(bytes[row * stride..<row * stride + rowBytes])
            }
        }
    }
}
