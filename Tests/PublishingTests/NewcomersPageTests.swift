// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import TestSupport
import Testing
import X264Backend

// The programs of the page "From a session to a recording and a push", as they stand there.
/// Encodes pictures and sound until both end, into a file and to a server.
func publish(
    _ camera: AsyncStream<(PixelBuffer, MediaTime)>, _ microphone: AsyncStream<SoundBlock>, recording path: String,
    to address: String
) async throws {
    var configuration = SessionConfiguration(codec: .h264, width: 1280, height: 720)
    configuration.live.averageBitRate = 3_000_000
    configuration.live.maxKeyFrameIntervalDuration = 2
    let session = try CompressionSession(configuration, encoder: X264Backend())
    let broadcast = try Broadcast(
        tracks: [.video, .audio], outputs: [.file(path), .address(PublishAddress(address))]
    ) { try? session.requestKeyFrame() }
    async let pictures: Void = {
        for await (picture, time) in camera { try await session.encode(picture, at: time) }
        try await session.finish()
    }()
    async let sound: Void = {
        let encoder = try AudioEncoder()
        for await block in microphone {
            for packet in try encoder.encode(block) { try await broadcast.send(packet) }
        }
        for packet in try encoder.finish() { try await broadcast.send(packet) }
        broadcast.end(.audio)
    }()
    for try await frame in session.encodedFrames { try await broadcast.send(frame) }
    broadcast.end(.video)
    _ = try await (pictures, sound)
    await broadcast.finish()
    for output in broadcast.statistics.values {
        if case .failed(let error) = output.state { print("failed: \(error)") }
    }
}

/// Shows a flash and sounds a beep each second, at the pace of their times, and publishes both.
func show(seconds: Int64, recording path: String, to address: String) async throws {
    let signal = TestSignal(.flashAndBeep)
    let (camera, pictures) = AsyncStream<(PixelBuffer, MediaTime)>.makeStream()
    let (microphone, blocks) = AsyncStream<SoundBlock>.makeStream()
    async let published: Void = publish(camera, microphone, recording: path, to: address)
    var sound = try TestSignal.Sound(signal, duration: MediaTime(value: seconds, timescale: 1))
    let start = ContinuousClock.now
    for number in 0..<seconds * 25 {
        let time = MediaTime(value: number, timescale: 25)
        try await Task.sleep(until: start + .seconds(time.seconds))
        pictures.yield((try signal.picture(at: time, width: 1280, height: 720), time))
        while let block = try sound.next() {
            blocks.yield(block)
            if let heard = block.time, heard >= time { break }
        }
    }
    pictures.finish()
    blocks.finish()
    try await published
}

@Suite struct NewcomersPageTests {
    @Test("the page's program records all pictures and sound while nobody takes its push", .requiresProgram(.ffprobe))
    func program() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("show.mp4")
            // Port 1 of this machine: nobody listens there.
            try await show(seconds: 2, recording: path, to: "rtmp://127.0.0.1:1/live/show")
            let output = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets", "-of", "csv=p=0",
                path,
            ])
            let lines = output.text.split(separator: "\n").sorted()
            // 2 s are 93.75 packets of sound; the priming and the end make it one or two more.
            #expect(lines.last == "h264,50")
            #expect(lines.first == "aac,95" || lines.first == "aac,94" || lines.first == "aac,96")
        }
    }

    @Test(
        "the page and the README have the program as it is compiled here, in some thirty lines",
        arguments: ["Sources/Publishing/Publishing.docc/GettingStarted.md", "README.md"])
    func page(path: String) throws {
        let lines = try PageText(path).check(against: #filePath, from: ["/// Encodes pictures and sound until"])
        #expect(lines <= 35)
    }

    @Test("the page has the test signal's program as it is compiled here")
    func withoutCamera() throws {
        try PageText("Sources/Publishing/Publishing.docc/GettingStarted.md").check(
            against: #filePath, from: ["/// Shows a flash and sounds a beep"])
    }
}
