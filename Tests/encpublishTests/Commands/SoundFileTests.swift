// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import encpublish

/// Files of sound beside pictures, as a user gives them to the built program.
@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct SoundFileTests {
    private static let program = ExternalProgram(PublishProgram.path)

    /// Encodes half a second of a test picture beside a file of sound.
    private func encode(_ sound: String, to output: String) async throws {
        try await Self.program.run([
            "test", "--size", "160x90", "--preset", "ultrafast", "--duration", "0.5", "--sound", sound, "--to", output,
        ])
    }

    /// Expects that a file of sound ends the program, with a reason.
    private func expectRefusal(_ sound: String, in folder: TemporaryDirectory, saying reason: String) async {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await encode(sound, to: folder.path("a.mp4"))
        }
        #expect(error?.reason == "exited(1)")
        #expect(error?.standardError.contains("\(sound): \(reason)") == true, "\(String(describing: error))")
    }

    @Test("sound of a rate that gives no packets is refused with file, rate and range", arguments: ["wav", "mka"])
    func lowRate(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let sound = folder.path("sound.\(name)")
            try await ExternalProgram.ffmpeg.run(
                ["-v", "error", "-f", "s16le", "-ar", "7", "-ac", "1", "-i", "-", "-c:a", "pcm_s16le", sound],
                input: [UInt8](repeating: 1, count: 2000))
            await expectRefusal(sound, in: folder, saying: "sample rate 7, expected 1000...768000")
        }
    }

    @Test(
        "sound of any other rate, and of one channel or two, is encoded to its end",
        arguments: [(1000, 1), (11_025, 2), (47_999, 2), (192_000, 1)])
    func rates(rate: Int, channels: Int) async throws {
        try await withTemporaryDirectory { folder in
            let sound = folder.path("sound.wav")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "sine=f=300:r=\(rate)", "-ac", "\(channels)", "-t", "0.5", sound,
            ])
            try await encode(sound, to: folder.path("a.mkv"))
            let packets = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-select_streams", "a", "-count_packets", "-show_entries", "stream=nb_read_packets",
                "-of",
                "csv=p=0", folder.path("a.mkv"),
            ])
            // Half a second is 23.4 packets, and the encoder's own priming and end.
            #expect([24, 25, 26].map { "\($0)\n" }.contains(packets.text), "\(packets.text)")
        }
    }

    @Test("sound of three channels is refused with what is legal")
    func threeChannels() async throws {
        try await withTemporaryDirectory { folder in
            let sound = folder.path("sound.wav")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "sine=f=300", "-af", "aformat=channel_layouts=3.0", "-t", "0.5",
                sound,
            ])
            await expectRefusal(sound, in: folder, saying: "sound of 3 channels for 2, expected 1 or 2 channels")
        }
    }
}
