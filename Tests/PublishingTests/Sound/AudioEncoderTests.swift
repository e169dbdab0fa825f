// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import TestSupport
import Testing

@Suite struct AudioEncoderTests {
    private func settings(
        _ rate: Int = 48_000, channels: Int = 2, codec: AudioCodec = .aac, bitsPerSecond: Int = 128_000
    ) -> AudioSettings {
        var settings = AudioSettings()
        settings.codec = codec
        settings.sampleRate = rate
        settings.channelCount = channels
        settings.bitsPerSecond = bitsPerSecond
        return settings
    }

    private func encode(_ source: some SoundSource, with encoder: AudioEncoder) throws -> [MediaPacket] {
        var source = source
        var packets: [MediaPacket] = []
        while let block = try source.next() { packets += try encoder.encode(block) }
        return packets + (try encoder.finish())
    }

    /// The samples of AAC that an independent program decodes, priming included, interleaved.
    private func decoded(
        _ packets: [MediaPacket], rateIndex: UInt8, channels: UInt8, mixedTo outputChannels: Int = 1
    ) async throws -> [Float] {
        var file: [UInt8] = []
        for packet in packets {
            let size = packet.data.count + 7
            file += [
                0xFF, 0xF1, 0x40 | rateIndex << 2, channels << 6 | UInt8(size >> 11), UInt8(size >> 3 & 255),
                UInt8(size & 7) << 5 | 0x1F, 0xFC,
            ]
            file += packet.data
        }
        let output = try await ExternalProgram.ffmpeg.run(
            ["-v", "error", "-f", "aac", "-i", "-", "-f", "f32le", "-ac", "\(outputChannels)", "-"], input: file)
        return output.standardOutput.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    @Test(
        "rates and channels that a codec does not have are refused with those it has",
        arguments: [
            (AudioCodec.aac, 47_999, 2, "aac at 47999 Hz, expected one of 96000, 88200, 64000, 48000, 44100"),
            (.aac, 48_000, 3, "aac of 3 channels, expected 1 or 2"), (.aac, 48_000, 0, "aac of 0 channels"),
            (.opus, 44_100, 2, "opus at 44100 Hz, expected one of 48000, 24000, 16000, 12000, 8000"),
        ])
    func refusedSettings(codec: AudioCodec, rate: Int, channels: Int, reason: String) {
        let error = #expect(throws: PublishingError.self) {
            try AudioEncoder(settings(rate, channels: channels, codec: codec))
        }
        #expect(error?.code == .unsupported && error?.reason.hasPrefix(reason) == true)
    }

    @Test("a bit rate out of its range is refused with the range")
    func refusedRate() {
        for rate in [7999, 1_024_001] {
            let error = #expect(throws: PublishingError.self) { try AudioEncoder(settings(bitsPerSecond: rate)) }
            #expect(error?.reason == "aac at \(rate) bit/s, expected 8000...1024000")
        }
    }

    @Test("every rate of AAC opens, and tells priming and header", arguments: AudioSettings.sampleRates(of: .aac))
    func rates(rate: Int) throws {
        for channels in 1...2 {
            let encoder = try AudioEncoder(settings(rate, channels: channels, bitsPerSecond: 32_000))
            #expect(encoder.format.priming == 1024 && encoder.format.framesPerPacket == 1024)
            let config = try AudioSpecificConfig(encoder.format.configuration)
            #expect(config.objectType.number == 2 && config.sampleRate == rate && config.channelCount == channels)
            let own = try AudioSpecificConfig(sampleRate: rate, channelCount: channels).bytes()
            #expect(Array(encoder.format.configuration.prefix(2)) == own)
        }
    }

    @Test("packets are a packet apart from the priming on, and together hold all that was given")
    func packets() throws {
        let encoder = try AudioEncoder(settings(44_100), startTime: MediaTime(value: 5, timescale: 1))
        let source = try TestSignal.Sound(
            TestSignal(.tone), sampleRate: 44_100, duration: MediaTime(value: 50_000, timescale: 44_100))
        var later = source
        var packets: [MediaPacket] = []
        while let block = try later.next() {
            packets += try encoder.encode(
                SoundBlock(samples: block.samples, channelCount: 2, sampleRate: 44_100))
        }
        packets += try encoder.finish()
        for (index, packet) in packets.enumerated() {
            let expected = MediaTime(value: 5 * 44_100 + Int64(index - 1) * 1024, timescale: 44_100)
            #expect(packet.presentationTime == expected && packet.track == .audio && !packet.data.isEmpty)
        }
        let end = try #require(packets.last)
        #expect(
            end.presentationTime + (end.duration ?? .zero) >= MediaTime(value: 5 * 44_100 + 50_000, timescale: 44_100))
        #expect(throws: PublishingError.self) { try encoder.finish() }
    }

    @Test("silence codes to packets too, small as they are")
    func silence() throws {
        let encoder = try AudioEncoder(settings())
        let block = try SoundBlock(samples: [Float](repeating: 0, count: 96_000), channelCount: 2, sampleRate: 48_000)
        let packets = try encoder.encode(block) + encoder.finish()
        #expect(packets.count == 48 && packets.allSatisfy { $0.data.count > 0 })
    }

    @Test("a block that is not taken leaves the encoder as it was")
    func refusedBlocks() throws {
        let encoder = try AudioEncoder(settings())
        let samples = [Float](repeating: 0.1, count: 9600)
        _ = try encoder.encode(SoundBlock(samples: samples, channelCount: 2, sampleRate: 48_000, time: .zero))
        for (channels, rate, time, code) in [
            (3, 48_000, 1, PublishingError.Code.unsupported), (2, 44_100, 1, .invalidValue),
            (2, 48_000, 0, .backwardsTime),
            (2, 48_000, -1, .backwardsTime),
        ] {
            let block = try SoundBlock(
                samples: samples, channelCount: channels, sampleRate: rate,
                time: MediaTime(value: Int64(time), timescale: 1))
            let error = #expect(throws: PublishingError.self) { try encoder.encode(block) }
            #expect(error?.code == code)
        }
        let next = try SoundBlock(samples: samples, channelCount: 2, sampleRate: 48_000, time: .milliseconds(100))
        #expect(try encoder.encode(next).isEmpty == false)
        #expect(encoder.corrections == AudioEncoder.Corrections())
    }

    @Test("sound is decoded as it was, beyond full scale clipped", .requiresProgram(.ffmpeg))
    func fidelity() async throws {
        let encoder = try AudioEncoder(settings(channels: 1))
        let given = (0..<96_000).map { Float(sin(Double($0) * 2 * .pi * 440 / 48_000)) * 0.5 }
        var packets = try encoder.encode(SoundBlock(samples: given, channelCount: 1, sampleRate: 48_000))
        packets += try encoder.finish()
        let got = try await decoded(packets, rateIndex: 3, channels: 1).dropFirst(encoder.format.priming)
        var (signal, noise) = (0.0, 0.0)
        for (left, right) in zip(given[4800..<90_000], got.dropFirst(4800)) {
            signal += Double(left * left)
            noise += Double((left - right) * (left - right))
        }
        #expect(10 * log10(signal / noise) > 30)
        let loud = try AudioEncoder(settings(channels: 1))
        let louder = try SoundBlock(samples: given.map { $0 * 1e30 }, channelCount: 1, sampleRate: 48_000)
        let clipped = try await decoded(loud.encode(louder) + loud.finish(), rateIndex: 3, channels: 1)
        #expect(clipped.allSatisfy { abs($0) < 3 } && clipped.contains { $0 > 0.9 })
    }

    @Test("a beep is heard in its place, whatever the rates and channels", .requiresProgram(.ffmpeg))
    func beep() async throws {
        for (rate, channels, startsAt) in [
            (48_000, 2, 0), (44_100, 1, 0), (16_000, 2, 0), (48_000, 1, 500), (44_100, 2, 300),
        ] {
            let encoder = try AudioEncoder(settings(), startTime: .milliseconds(Int64(startsAt)))
            let source = try TestSignal.Sound(
                TestSignal(.flashAndBeep), sampleRate: rate, channelCount: channels,
                duration: MediaTime(value: 3, timescale: 1))
            let packets = try encode(source, with: encoder)
            let got = try await decoded(packets, rateIndex: 3, channels: 2).dropFirst(encoder.format.priming)
            let first =
                try #require(got.dropFirst(24_000 - startsAt * 24).firstIndex { abs($0) > 0.2 }) - got.startIndex
            let frames = abs(first - (1000 - startsAt) * 48)
            #expect(frames < 48, "\(rate) Hz, \(channels) channels")
            #expect(encoder.corrections.earlyFrames == startsAt * rate / 1000)
        }
    }

    @Test(
        "after ten minutes with a card 200 ppm fast or slow, a beep is within 5 ms of its time", .inTurn(),
        .requiresProgram(.ffmpeg), arguments: [-200.0, 200])
    func drift(partsPerMillion: Double) async throws {
        let rate = 8000
        let encoder = try AudioEncoder(settings(rate, channels: 1, bitsPerSecond: 24_000))
        let cardRate = Double(rate) * (1 + partsPerMillion / 1e6)
        var packets: [MediaPacket] = []
        // A beep at each tenth second, in the time of the world.
        for block in 0..<4700 {
            let samples = (block * 1024..<(block + 1) * 1024).map { index in
                let time = Double(index) / cardRate
                return time.truncatingRemainder(dividingBy: 10) < 0.1 && time > 1
                    ? Float(0.8 * sin(2 * .pi * 1000 * time)) : 0
            }
            let time = MediaTime(seconds: Double(block * 1024) / cardRate, preferredTimescale: 1_000_000_000)
            packets += try encoder.encode(SoundBlock(samples: samples, channelCount: 1, sampleRate: rate, time: time))
        }
        packets += try encoder.finish()
        let got = try await decoded(packets, rateIndex: 11, channels: 1).dropFirst(encoder.format.priming)
        for second in [10, 300, 590] {
            let start = got.startIndex + (second * 1000 - 500) * rate / 1000
            let first = try #require(got[start...].firstIndex { abs($0) > 0.2 }) - got.startIndex
            let frames = abs(first - second * rate)
            #expect(frames < rate / 200, "at \(second) s")
        }
        #expect(encoder.corrections.silentFrames == 0 && encoder.corrections.surplusFrames == 0)
        #expect(abs(Double(encoder.corrections.stretchedFrames) + partsPerMillion * 4.8128) < 40)
    }

    @Test("blocks of a few sample frames follow a card that is fast or slow", .inTurn(), arguments: [1, 3, 9, 255])
    func tinyBlocks(length: Int) throws {
        for partsPerMillion in [-200.0, 200] {
            let encoder = try AudioEncoder(settings(8000, channels: 1))
            let block = [Float](repeating: 0.1, count: length)
            for start in stride(from: 0, to: 80_000, by: length) {
                let time = MediaTime(
                    seconds: Double(start) / (8000 * (1 + partsPerMillion / 1e6)), preferredTimescale: 1_000_000_000)
                _ = try encoder.encode(SoundBlock(samples: block, channelCount: 1, sampleRate: 8000, time: time))
            }
            let packets = try encoder.finish()
            // 16 sample frames in these ten seconds, most of which are evened out by then.
            let corrections = encoder.corrections
            #expect((4...16).contains(corrections.stretchedFrames * (partsPerMillion > 0 ? -1 : 1)), "\(corrections)")
            #expect(corrections.silentFrames == 0 && corrections.surplusFrames == 0 && !packets.isEmpty)
        }
    }

    @Test("the loudest samples there are silence no encoder, where they are converted or stretched either")
    func loudestSamples() throws {
        var random = SeededGenerator()
        let loudest = (0..<960).map { _ in
            Bool.random(using: &random) ? -Float.greatestFiniteMagnitude : .greatestFiniteMagnitude
        }
        for (rate, channels) in [(48_000, 1), (44_100, 1), (48_000, 2)] {
            let encoder = try AudioEncoder(settings(channels: 1))
            var count = 0
            for number in 0..<50 as Range<Int64> {
                let time = MediaTime(value: number * 960 / Int64(channels), timescale: Int32(rate))
                let samples = number < 5 ? loudest : [Float](repeating: 0.1, count: 960)
                count += try encoder.encode(
                    SoundBlock(samples: samples, channelCount: channels, sampleRate: rate, time: time)
                ).count
            }
            count += try encoder.finish().count
            #expect(count >= 48_000 / 1024 / channels, "\(rate) Hz, \(channels) channels")
        }
    }

    @Test("a block more than an hour behind the sound is refused, and what follows in time is taken")
    func anotherClock() throws {
        let encoder = try AudioEncoder(settings(8000, channels: 1), startTime: .zero)
        func block(at seconds: Int64) throws -> SoundBlock {
            try SoundBlock(
                samples: [Float](repeating: 0, count: 800), channelCount: 1, sampleRate: 8000,
                time: MediaTime(value: seconds, timescale: 1))
        }
        for seconds in [3601, 1_700_000_000, .max / 16_000] as [Int64] {
            let error = #expect(throws: PublishingError.self) { try encoder.encode(block(at: seconds)) }
            #expect(error?.code == .invalidValue && error?.reason.contains("at most 3600 s behind 0/8000 s") == true)
        }
        #expect(encoder.corrections == AudioEncoder.Corrections())
        #expect(try !encoder.encode(block(at: 2)).isEmpty)
        #expect(encoder.corrections.silentFrames == 16_000)
    }

    @Test("a gap becomes silence as long as it was, a surplus goes", .requiresProgram(.ffmpeg))
    func gaps() async throws {
        let encoder = try AudioEncoder(settings(channels: 1))
        var packets: [MediaPacket] = []
        var source = try TestSignal.Sound(
            TestSignal(.flashAndBeep), channelCount: 1, duration: MediaTime(value: 4, timescale: 1))
        while let block = try source.next() {
            // What was recorded from 1.5 s to 2.5 s never came.
            guard let time = block.time, time < .milliseconds(1500) || time > .milliseconds(2500) else { continue }
            packets += try encoder.encode(block)
        }
        packets += try encoder.finish()
        let got = try await decoded(packets, rateIndex: 3, channels: 1).dropFirst(encoder.format.priming)
        let first = try #require(got.dropFirst(2600 * 48).firstIndex { abs($0) > 0.2 }) - got.startIndex
        // What remains of the gap, 10 ms, is made up for later.
        #expect(abs(first - 3000 * 48) < 11 * 48)
        #expect(abs(encoder.corrections.silentFrames - 48_000 + 480) < 2100)
    }

    @Test("silence for a gap is of whole sample frames: no channel takes the other's place", .requiresProgram(.ffmpeg))
    func channelsBehindGap() async throws {
        let encoder = try AudioEncoder(settings(channels: 2))
        // A tone on the left, nothing on the right.
        let samples = (0..<4800).flatMap { (frame: Int) -> [Float] in
            let angle = Float(frame) * 2 * .pi * 440 / 48_000
            return [sin(angle) * 0.5, 0]
        }
        var packets: [MediaPacket] = []
        // Behind an odd number of sample frames that never came.
        for start in [0, 4800, 9600 + 4801, 14_400 + 4801] as [Int64] {
            let time = MediaTime(value: start, timescale: 48_000)
            packets += try encoder.encode(
                SoundBlock(samples: samples, channelCount: 2, sampleRate: 48_000, time: time))
        }
        packets += try encoder.finish()
        let sound = try await decoded(packets, rateIndex: 3, channels: 2, mixedTo: 2)
        let frames = sound.count / 2
        #expect(frames >= 14_400 + 4800 + 4801)
        func energy(_ channel: Int, _ range: Range<Int>) -> Double {
            range.reduce(0.0) { $0 + Double(sound[$1 * 2 + channel] * sound[$1 * 2 + channel]) } / Double(range.count)
        }
        for range in [2000..<8000, 18_000..<23_000] {
            #expect(energy(0, range) > 0.05 && energy(1, range) < 0.001, "\(range)")
        }
        let silence = 12_000..<14_000
        #expect(energy(0, silence) < 0.001 && energy(1, silence) < 0.001)
        #expect(encoder.corrections.silentFrames == 4801 - 480)
    }

    @Test("Opus has its own priming and packets where the library has an encoder")
    func opus() throws {
        let encoder: AudioEncoder
        do throws(PublishingError) {
            encoder = try AudioEncoder(settings(codec: .opus))
        } catch {
            #expect(error.code == .unsupported)
            return
        }
        #expect(encoder.format.framesPerPacket == 960 && encoder.format.priming > 0)
        #expect(encoder.format.configuration.starts(with: Array("OpusHead".utf8)))
        let source = try TestSignal.Sound(TestSignal(.tone), duration: MediaTime(value: 1, timescale: 1))
        let packets = try encode(source, with: encoder)
        #expect(packets.count >= 50)
        #expect(packets.first?.presentationTime == MediaTime(value: -Int64(encoder.format.priming), timescale: 48_000))
    }
}
