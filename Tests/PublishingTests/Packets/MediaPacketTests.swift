// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Testing

@Suite struct MediaPacketTests {
    private func frame(
        isSync: Bool = false, isPartialSync: Bool = false, isDependedOn: Bool = true
    ) throws -> EncodedFrame {
        let unit = AccessUnit(
            data: [0, 0, 0, 1, 0x65, 1], nalUnits: [4..<6], format: try TestPackets.videoFormat(), pictureType: .p,
            isSync: isSync, isPartialSync: isPartialSync, isDependedOnByOthers: isDependedOn)
        return EncodedFrame(
            outcome: .encoded(unit), presentationTime: MediaTime(value: 7, timescale: 30),
            decodeTime: MediaTime(value: 5, timescale: 30), duration: MediaTime(value: 1, timescale: 30))
    }

    @Test("a packet has the times, kinds and bytes of its frame")
    func ofFrame() throws {
        let packet = try #require(try MediaPacket(frame(isDependedOn: false)))
        let format = try TestPackets.videoFormat()
        #expect(packet.track == .video && packet.format == .video(format))
        #expect(packet.presentationTime == MediaTime(value: 7, timescale: 30))
        #expect(packet.decodeTime == MediaTime(value: 5, timescale: 30))
        #expect(packet.duration == MediaTime(value: 1, timescale: 30))
        #expect(!packet.isKey && packet.isDisposable)
        #expect(packet.data == [0, 0, 0, 1, 0x65, 1] && packet.nalUnits == [4..<6])
        #expect(try MediaPacket(frame(isSync: true))?.isKey == true)
        #expect(try MediaPacket(frame(isPartialSync: true))?.isKey == true)
    }

    @Test("a dropped frame has no packet")
    func ofDroppedFrame() {
        let dropped = EncodedFrame(
            outcome: .dropped(.rateControl), presentationTime: .zero, decodeTime: .zero)
        #expect(MediaPacket(dropped) == nil)
    }

    @Test("copies of a packet share its bytes with the frame")
    func sharedBytes() throws {
        let frame = try frame()
        let packet = try #require(MediaPacket(frame))
        let copy = packet
        let addresses = [frame.accessUnit?.data ?? [], packet.data, copy.data].map { bytes in
            bytes.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        }
        #expect(Set(addresses).count == 1)
    }

    @Test("sound lasts as long as its sample frames")
    func soundDuration() throws {
        let format = try TestPackets.audioFormat()
        let packet = MediaPacket(format: format, time: .zero, data: [1])
        #expect(packet.duration == MediaTime(value: 1024, timescale: 48_000))
        #expect(packet.isKey && !packet.isDisposable && packet.format.audio == format && packet.format.kind == .audio)
        let last = MediaPacket(format: format, time: .zero, duration: MediaTime(value: 5, timescale: 48_000), data: [1])
        #expect(last.duration == MediaTime(value: 5, timescale: 48_000))
    }

    @Test(
        "an impossible format of sound is refused with what is legal",
        arguments: [
            (0, 2, 0, 1024, "sample rate 0, expected 1...768000"), (768_001, 2, 0, 1024, "sample rate 768001"),
            (48_000, 0, 0, 1024, "channels 0, expected 1...255"), (48_000, 256, 0, 1024, "channels 256"),
            (48_000, 2, -1, 1024, "priming -1"), (48_000, 2, 0, 0, "sample frames in a packet 0"),
        ])
    func impossibleSound(rate: Int, channels: Int, priming: Int, frames: Int, reason: String) throws {
        let error = #expect(throws: PublishingError.self) {
            try AudioFormat(
                codec: .aac, sampleRate: rate, channelCount: channels, priming: priming, framesPerPacket: frames,
                configuration: [0x11, 0x90])
        }
        #expect(error?.code == .invalidValue && error?.reason.hasPrefix(reason) == true)
        for count in [0, 65_536] {
            let error = #expect(throws: PublishingError.self) {
                try AudioFormat(
                    codec: .aac, sampleRate: 48_000, channelCount: 2,
                    configuration: [UInt8](repeating: 0x11, count: count))
            }
            #expect(error?.reason == "bytes of the codec's header \(count), expected 1...65535")
        }
    }

    @Test("packets of nothing are refused by value, not taken and lost")
    func nothing() async throws {
        let (video, audio) = try (TestPackets.videoFormat(), TestPackets.audioFormat())
        let broadcast = try Broadcast(tracks: [.video, .audio])
        for (packet, reason) in [
            (MediaPacket(format: audio, time: .zero, data: []), "a packet of audio without bytes"),
            (
                MediaPacket(
                    format: video, presentationTime: .zero, decodeTime: .zero, isKey: true, data: [], nalUnits: []),
                "a packet of video without bytes"
            ),
            (
                MediaPacket(
                    format: video, presentationTime: .zero, decodeTime: .zero, isKey: true, data: [0x65], nalUnits: []),
                "a packet of video without NAL units"
            ),
        ] {
            let error = await #expect(throws: PublishingError.self) { try await broadcast.send(packet) }
            #expect(error?.code == .invalidValue && error?.reason == reason + ", expected one or more")
        }
        broadcast.cancel()
    }

    @Test(
        "empty NAL units, those outside of the bytes, and formats of the other kind are refused by value, no others",
        arguments: [0..<11, 10..<11, -1..<4, 11..<11, 2..<Int.max, 0..<10, 10..<10, 3..<3] as [Range<Int>])
    func impossiblePackets(unit: Range<Int>) async throws {
        let (video, audio) = try (TestPackets.videoFormat(), TestPackets.audioFormat())
        func picture(_ track: TrackID, _ units: [Range<Int>]) -> MediaPacket {
            MediaPacket(
                track: track, format: video, presentationTime: .zero, decodeTime: .zero, isKey: true,
                data: [UInt8](repeating: 0x65, count: 10), nalUnits: units)
        }
        let broadcast = try Broadcast(tracks: [.video, .audio])
        let isLegal = unit.lowerBound >= 0 && !unit.isEmpty && unit.upperBound <= 10
        let taken = picture(.video, [0..<4, unit])
        let error = isLegal ? nil : await #expect(throws: PublishingError.self) { try await broadcast.send(taken) }
        let reason = "a NAL unit at bytes \(unit) of video, expected one or more within its 10"
        #expect(error?.reason == (isLegal ? nil : reason))
        if isLegal { try await broadcast.send(taken) }
        for packet in [picture(.audio, [0..<4]), MediaPacket(track: .video, format: audio, time: .zero, data: [1])] {
            let error = await #expect(throws: PublishingError.self) { try await broadcast.send(packet) }
            #expect(error?.code == .invalidValue)
        }
        broadcast.cancel()
    }

    @Test("tracks are named by kind, and by number from the second on")
    func trackNames() {
        #expect(TrackID.video.description == "video")
        #expect(TrackID(.audio, number: 1).description == "audio 1")
    }
}
