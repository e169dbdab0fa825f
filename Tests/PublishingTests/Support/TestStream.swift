// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import RecordedStreams
import TestSupport

/// Pictures with B pictures and sound of a reference encoder, as a session and an encoder of sound would give them.
struct TestStream {
    private let recorded: RecordedStream

    /// In the order of decoding.
    var video: [MediaPacket] { recorded.video }
    /// In the order of time.
    var audio: [MediaPacket] { recorded.audio }

    /// The files that ``make(_:seconds:size:in:)`` leaves in its folder, by default.
    static let (videoName, audioName) = ("source-h264-160x96.mp4", "source.aac")
    /// Pictures in a group.
    static let groupLength = 15
    /// Pictures in a second.
    static let rate = 30

    /// All packets in the order of decoding.
    var packets: [MediaPacket] { recorded.packets }

    /// Encodes a test picture and a tone.
    static func make(
        _ codec: VideoCodec = .h264, seconds: Int = 3, size: String = "160x96", in folder: TemporaryDirectory
    ) async throws -> TestStream {
        let (video, audio) = (folder.path("source-\(codec.rawValue)-\(size).mp4"), folder.path(audioName))
        let encoder = codec == .h264 ? "libx264" : "libx265"
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate)", "-t", "\(seconds)", "-pix_fmt",
            "yuv420p", "-c:v", encoder, "-preset", "ultrafast", "-bf", "2", "-g", "\(groupLength)", "-keyint_min",
            "\(groupLength)", "-sc_threshold", "0", "-x265-params", "log-level=error:open-gop=0:scenecut=0:keyint=15",
            video,
        ])
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "sine=f=440:r=48000", "-t", "\(seconds)", "-c:a", "aac", "-ac",
            "2", "-f", "adts", audio,
        ])
        return TestStream(try RecordedStream(video: video, codec: codec, audio: audio))
    }

    private init(_ stream: RecordedStream) { recorded = stream }

    /// The same pictures and sound, later.
    func moved(by time: MediaTime) -> TestStream { TestStream(recorded.moved(by: time)) }
}

/// A packet as ffprobe reads it back.
struct ReadPacket: Equatable {
    var track: Int
    /// Nil where the file does not say.
    var presentation: Double?
    var decode: Double?
    var isKey: Bool

    /// Reads all packets of a file or address.
    static func all(
        _ path: String, options: [String] = [], with program: ExternalProgram = .ffprobe
    ) async throws -> [ReadPacket] {
        let output = try await program.run(
            ["-v", "error"] + options + [
                "-show_entries", "packet=stream_index,pts_time,dts_time,flags", "-of", "csv=p=0:nk=1", path,
            ])
        return output.text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count >= 4, let track = Int(fields[0]) else { return nil }
            return ReadPacket(
                track: track, presentation: Double(fields[1]), decode: Double(fields[2]), isKey: fields[3].contains("K")
            )
        }
    }
}
