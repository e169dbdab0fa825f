// SPDX-License-Identifier: MIT

import Dispatch
import EncoderAPI
import EncoderConformance
import TestSupport
import Testing

/// Clients in the shapes that encoder classes of capture applications have, none of which brings a bridge of its own:
/// what they encode decodes, with the frames, times and key frames that were asked for, at the rate, as far as two
/// seconds show it.
@Suite(.requiresLibAV, .timeLimit(.minutes(2))) struct ClientTests {
    /// Who a context pointer points to.
    private final class Owner {
        let output = Output()
    }

    @Test("a callback with a context pointer gets every frame, and an encoder that was stopped takes none")
    func refcon() async throws {
        let camera = try Camera()
        let frames = try await onThread {
            let owner = Owner()
            let encoder = try RefconEncoder(
                width: 320, height: 180, bitRate: 400_000, keyFrameInterval: 20,
                refcon: Unmanaged.passUnretained(owner).toOpaque()
            ) { refcon, frame in
                guard let refcon else { return }
                Unmanaged<Owner>.fromOpaque(refcon).takeUnretainedValue().output.append(frame)
            }
            for index in 0..<60 { try encoder.encode(camera.picture(index), at: Camera.time(index)) }
            try encoder.stop()
            #expect(throws: EncoderError.self) { try encoder.encode(camera.picture(60), at: Camera.time(60)) }
            return owner.output.frames
        }
        try await expect(frames, .h264, count: 60, keyFrames: [0, 20, 40], bitRate: 400_000)
    }

    @Test("an output handler on a queue feeds a stream that another task reads")
    func outputHandler() async throws {
        let camera = try Camera()
        let queue = DispatchQueue(label: "EncoderKit.test.output")
        let codec = try StreamingCodec(.init(), queue: DeliveryQueue { queue.async(execute: $0) })
        let reader = Task { await codec.frames.reduce(into: [EncodedFrame]()) { $0.append($1) } }
        let taken = try await onThread {
            let taken = try (0..<60).map { try codec.append(camera.picture($0), at: Camera.time($0)) }
            try codec.stop()
            return taken
        }
        #expect(taken.allSatisfy { $0 })
        try await expect(await reader.value, .hevc, count: 60, keyFrames: [0, 30], bitRate: 300_000)
    }

    @Test("an actor climbs down a ladder of sizes and up again without losing a frame")
    func ladder() async throws {
        let cameras = [180: try Camera(), 90: try Camera(width: 160, height: 90)]
        let output = Output()
        let encoder = try LadderEncoder(bitRate: 400_000, into: output)
        for index in 0..<60 {
            if index == 20 { try await encoder.follow(bitRate: 100_000) }
            if index == 40 { try await encoder.follow(bitRate: 400_000) }
            if let camera = cameras[await encoder.height] {
                try await encoder.encode(camera.picture(index), at: Camera.time(index))
            }
        }
        try await encoder.stop()
        try await expect(output.frames, .h264, count: 60, keyFrames: [0, 20, 40])
        let sizes = output.frames.compactMap { $0.accessUnit?.format.height }
        #expect(sizes == (0..<60).map { (20..<40).contains($0) ? 90 : 180 })
    }

    @Test(
        "two encoders share each 720p picture of one callback; every frame comes out of both, key frames where forced")
    func pair() async throws {
        let camera = try Camera(width: 1280, height: 720, content: .calm, count: 4)
        let outputs = try await onThread {
            let encoder = try PairEncoder(width: 1280, height: 720)
            for index in 0..<20 {
                try encoder.encode(
                    camera.picture(index), at: Camera.time(index), forceKeyFrame: [7, 8, 15].contains(index))
            }
            try encoder.stop()
            return encoder.outputs
        }
        for (codec, output) in outputs {
            try await expect(output.frames, codec, count: 20, keyFrames: [0, 7, 8, 15])
        }
    }

    @Test("properties that are set one by one hold, and those that fail are logged and change nothing")
    func properties() async throws {
        let camera = try Camera(format: .i420)
        let output = Output()
        let log = try await onThread {
            let encoder = PropertyEncoder(width: 320, height: 180, into: output)
            encoder.setProperty("RealTime", "true")
            encoder.setProperty("Preset", "ultrafast")
            encoder.setProperty("ProfileLevel", "h264-baseline-auto")
            encoder.setProperty("AverageBitRate", "400000")
            encoder.setProperty("ExpectedFrameRate", "often")
            encoder.setProperty("FieldCount", "2")
            encoder.setProperty("MaxKeyFrameIntervalDuration", "1")
            encoder.setProperty("AllowFrameReordering", "false")
            try encoder.start()
            for index in 0..<60 {
                try encoder.encode(camera.picture(index), at: Camera.time(index), forceKeyFrame: index == 12)
            }
            try encoder.stop()
            #expect(encoder.value("Preset") == "ultrafast" && encoder.value("RealTime") == "true")
            return encoder.log
        }
        #expect(log.count == 2 && log[0].contains("often") && log[1].contains("FieldCount"))
        try await expect(output.frames, .h264, count: 60, keyFrames: [0, 12, 42], bitRate: 400_000)
        // profile_idc 66, which has neither CABAC nor B pictures.
        #expect(output.frames.first?.accessUnit?.format.codecString.hasPrefix("avc1.42") == true)
        #expect(output.frames.allSatisfy { $0.decodeTime == $0.presentationTime })
    }

    @Test("a push loop gets frame N - M with frame N, and the rest when it drains", arguments: [0, 3, 8])
    func push(delay: Int) async throws {
        let camera = try Camera(format: .i420)
        let frames = try await onThread {
            let encoder = try PushEncoder(width: 320, height: 180, delay: delay)
            var frames: [EncodedFrame] = []
            for index in 0..<60 {
                frames += try encoder.push(camera.picture(index), at: Camera.time(index))
                #expect(frames.count >= index + 1 - delay)
            }
            return try frames + encoder.drain()
        }
        let first = try #require(frames.first?.presentationTime)
        #expect(first == Camera.time(0))
        try await expect(frames, .h264, count: 60, keyFrames: [0], bitRate: 300_000)
    }
}
