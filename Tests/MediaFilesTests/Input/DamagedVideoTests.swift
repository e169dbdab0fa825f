// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@Suite(.requiresProgram(.ffmpeg)) struct DamagedVideoTests {
    /// A file of thirty pictures, its undamaged pictures, and where its packets lie.
    private struct Clip {
        let bytes: [UInt8]
        let whole: SourceContents
        let packets: [Range<Int>]

        init(_ codec: VideoCodec, in folder: TemporaryDirectory) async throws {
            let path = folder.path("whole.mkv")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-frames:v", "30", "-pix_fmt",
                "yuv420p", "-c:v", codec == .h264 ? "libx264" : "libx265", "-bf", "3", "-g", "100",
                "-x264-params", "slices=2", "-x265-params", "log-level=error:hash=1", path,
            ])
            bytes = try folder.read("whole.mkv")
            whole = SourceContents(try VideoInput.open(path: path))
            let reader = try ContainerReader(path: path)
            var packets: [Range<Int>] = []
            var place = 0
            while let packet = try reader.next() {
                // The container's own headers come before the data.
                let start = try #require(bytes[place...].firstRange(of: packet.data)?.lowerBound)
                place = start + packet.data.count
                packets.append(start..<place)
            }
            self.packets = packets
            try #require(whole.error == nil && whole.count == 30 && packets.count == 30)
        }
    }

    /// What a file gives, whoever reads it: no picture but `pictures` from the first on, all of them or an error.
    private func check(_ path: String, _ pictures: [Samples], _ place: Comment) -> MediaFileError? {
        do throws(MediaFileError) {
            let contents = SourceContents(try VideoInput.open(path: path))
            // As a Boolean: a failure would print all samples.
            #expect(contents.pictures.elementsEqual(pictures.prefix(contents.count)), place)
            #expect(contents.error != nil || contents.count == pictures.count, place)
            return contents.error
        } catch {
            return error
        }
    }

    /// What ffmpeg makes of a file: its pictures, and whether it refuses the file where it is told to.
    private func ffmpeg(_ path: String, like clip: Clip) async throws -> (pictures: [Samples], isRefused: Bool) {
        let strict = [
            "-v", "error", "-xerror", "-err_detect", "explode", "-threads", "1", "-i", path, "-f", "null", "-",
        ]
        let isRefused: Bool
        do throws(ExternalProgramError) {
            try await ExternalProgram.ffmpeg.run(strict)
            isRefused = false
        } catch {
            isRefused = true
        }
        let output = try await ExternalProgram.ffmpeg.run([
            "-v", "quiet", "-threads", "1", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-",
        ])
        let size = clip.whole.pictures[0].bytes.count
        let bytes = output.standardOutput
        let pictures = stride(from: 0, to: bytes.count, by: size).map { Samples(Array(bytes[$0..<$0 + size])) }
        return (pictures, isRefused)
    }

    @Test(
        "slices with flipped bits end the video before their picture", .inTurn(),
        arguments: [VideoCodec.h264, .hevc])
    func flippedBits(codec: VideoCodec) async throws {
        var generator = SeededGenerator()
        try await withTemporaryDirectory { folder in
            let clip = try await Clip(codec, in: folder)
            var found = 0
            for number in stride(from: 2, to: 28, by: 5) {
                var damaged = clip.bytes
                for _ in 0..<20 {
                    // Behind the header of the slice.
                    let place = Int.random(in: clip.packets[number].dropFirst(24), using: &generator)
                    damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                }
                let path = try folder.write(damaged, to: "damaged.mkv")
                let (pictures, isRefused) = try await ffmpeg(path, like: clip)
                let error = check(path, pictures, "packet \(number) of \(codec)")
                #expect(error != nil || !isRefused)
                #expect(error == nil || error?.code == .corrupt && error?.byteOffset != nil)
                if error != nil { found += 1 }
            }
            // Bits can be flipped so that what they say is another picture; six times of six they are not.
            #expect(found > 0)
        }
    }

    @Test(
        "a packet that cannot be decoded ends the video there: no later picture takes the number of a lost one",
        arguments: [VideoCodec.h264, .hevc])
    func undecodable(codec: VideoCodec) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await Clip(codec, in: folder)
            for number in [5, 12, 13, 14, 29] {
                var damaged = clip.bytes
                // Lengths and headers of the packet's NAL units.
                for place in clip.packets[number].prefix(16) { damaged[place] = 0xFF }
                let path = try folder.write(damaged, to: "damaged.mkv")
                #expect(check(path, clip.whole.pictures, "packet \(number) of \(codec)")?.code == .corrupt)
            }
        }
    }

    @Test("a picture whose checksum is wrong is damaged")
    func checksum() async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await Clip(.hevc, in: folder)
            var found = 0
            for packet in clip.packets.dropFirst().prefix(6) {
                // A decoded_picture_hash SEI message: payload type 132, 49 bytes, of which the first says MD5.
                guard let message = clip.bytes[packet].firstRange(of: [132, 49, 0]) else { continue }
                var damaged = clip.bytes
                damaged[message.upperBound] ^= 1
                let path = try folder.write(damaged, to: "damaged.mkv")
                #expect(check(path, clip.whole.pictures, "checksum at byte \(message.lowerBound)")?.code == .corrupt)
                found += 1
            }
            #expect(found == 6)
        }
    }

    @Test("a container that cannot be opened says what is wrong with it")
    func header() async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await EncodedClip.make(.h264, in: folder)
            #expect(clip.packets.count == 30)
            let bytes = try folder.read("reference-h264.mp4")
            let path = try folder.write(bytes.prefix(bytes.count / 2), to: "damaged.mp4")
            let error = #expect(throws: MediaFileError.self) { try VideoInput.open(path: path) }
            #expect(error?.code == .corrupt)
            #expect(error?.reason.contains("moov") == true)
        }
    }

    @Test("pictures that refer to what lies before the start are left out, and their number is said")
    func startBetweenKeyFrames() async throws {
        try await withTemporaryDirectory { folder in
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-frames:v", "40", "-pix_fmt",
                "yuv420p", "-c:v", "libx264", "-bf", "0", "-g", "16", "-sc_threshold", "0", folder.path("whole.ts"),
            ])
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-i", folder.path("whole.ts"), "-c", "copy", "-bsf:v", "noise=drop=lt(n\\,5)",
                folder.path("cut.ts"),
            ])
            let source = try VideoInput.open(path: folder.path("cut.ts"))
            let contents = SourceContents(source)
            #expect(contents.error == nil)
            #expect(contents.count == 24)
            #expect(source.info.conversions.contains { $0.hasPrefix("11 pictures that cannot be decoded") })
        }
    }
}
