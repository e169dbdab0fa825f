// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@Suite struct HostileInputTests {
    static let folders = ["containers", "streams/h264", "streams/hevc", "streams/length_prefixed", "streams/malformed"]

    @Test(
        "every file gives pictures or a typed error that names it", .inTurn(),
        .requiresMedia("containers", "streams"), arguments: folders)
    func everyFile(folder: String) throws {
        for name in try TestMedia.files(in: folder) {
            let path = try TestMedia.path("\(folder)/\(name)")
            do throws(MediaFileError) {
                let source = try VideoInput.open(path: path)
                // Enough to meet what a file is for; the largest are long.
                for _ in 0..<40 {
                    guard let frame = try source.next() else { break }
                    #expect(frame.picture.width == source.info.width && frame.picture.height == source.info.height)
                }
            } catch {
                #expect(error.path == path || error.path == nil, "\(name): \(error)")
            }
        }
    }

    @Test(
        "random damage to containers gives pictures or a typed error", .requiresMedia("containers"),
        arguments: [
            "bento4_video-h264-001.mp4", "fate_hdr10tags-both.mkv", "fate_h264small.ts", "fate_streamloop.flv",
            "androidx_h265_bframes.mp4",
        ])
    func damaged(name: String) async throws {
        var generator = SeededGenerator()
        let bytes = try TestMedia.bytes("containers/\(name)")
        try await withTemporaryDirectory { folder in
            for _ in 0..<15 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...30, using: &generator) {
                    damaged[Int.random(in: 0..<damaged.count, using: &generator)] =
                        UInt8.random(in: 0...255, using: &generator)
                }
                let path = try folder.write(damaged, to: "damaged")
                do throws(MediaFileError) {
                    let contents = SourceContents(try VideoInput.open(path: path))
                    #expect(zip(contents.times, contents.times.dropFirst()).allSatisfy { $0 < $1 })
                } catch {
                    #expect(error.code != .libraryMissing)
                }
            }
        }
    }

    @Test(
        "a hole in a container ends the video there: no picture is lost without an error",
        .requiresMedia("clips", "containers"),
        arguments: [
            "clips/webcam_cif_60f.mkv", "containers/fate_streamloop.flv", "containers/fate_h264small.ts",
        ])
    func hole(name: String) async throws {
        var generator = SeededGenerator()
        let bytes = try TestMedia.bytes(name)
        let whole = SourceContents(try VideoInput.open(path: try TestMedia.path(name)))
        try await withTemporaryDirectory { folder in
            for tenth in 1...9 {
                var damaged = bytes
                let start = bytes.count * tenth / 10
                // Sixteen packets of a transport stream, whose counter then fits again.
                for index in start..<min(start + 3008, bytes.count) {
                    damaged[index] = UInt8.random(in: 0...255, using: &generator)
                }
                let path = try folder.write(damaged, to: "damaged")
                do throws(MediaFileError) {
                    let contents = SourceContents(try VideoInput.open(path: path))
                    let place = Comment("\(name) damaged from byte \(start) on: \(contents.count) pictures")
                    #expect(contents.error != nil || contents.samples == whole.samples, place)
                    #expect(contents.error == nil || contents.error?.byteOffset != nil, place)
                } catch {
                    #expect([.corrupt, .truncated, .unsupported].contains(error.code), "\(error)")
                }
            }
        }
    }
}
