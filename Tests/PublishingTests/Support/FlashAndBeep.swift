// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Publishing
import RecordedStreams
import TestSupport
import Testing

/// A white picture and a beep at the start of each second from the first on, and what is left of them behind an output.
struct FlashAndBeep {
    /// Seconds it lasts.
    let seconds: Int
    /// Pictures and sound in the order of decoding.
    let packets: [MediaPacket]

    /// Sample frames in a second that the sound has when it is coded.
    private static let sampleRate = 16_000

    /// Makes the stream.
    ///
    /// - Parameters:
    ///   - seconds: How long it lasts.
    ///   - partsPerMillion: How much faster than its clock says the sound card is; its blocks have the world's times.
    ///   - codec: Of the sound.
    ///   - folder: For the file of the pictures.
    /// - Returns: The stream, with the sound as ``AudioEncoder`` makes it.
    /// - Throws: What the programs and encoders throw.
    static func make(
        seconds: Int, cardIsFastBy partsPerMillion: Double, codec: AudioCodec = .aac, in folder: TemporaryDirectory
    ) async throws -> FlashAndBeep {
        let path = folder.path("flashes-\(seconds).mp4")
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-y", "-f", "lavfi", "-i",
            "color=black:s=64x64:r=30,drawbox=c=white:t=fill:enable='lt(mod(t,1),0.1)*gte(t,1)'", "-t", "\(seconds)",
            "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "30", "-x264-params",
            "scenecut=0", path,
        ])
        let video = try RecordedStream.pictures(path, .h264)
        let audio = try sound(seconds: seconds, partsPerMillion, codec)
        return FlashAndBeep(seconds: seconds, packets: RecordedStream(video: video, audio: audio).packets)
    }

    private static func sound(
        seconds: Int, _ partsPerMillion: Double, _ codec: AudioCodec
    ) throws -> [MediaPacket] {
        var settings = AudioSettings()
        (settings.codec, settings.sampleRate, settings.channelCount) = (codec, sampleRate, 1)
        settings.bitsPerSecond = 48_000
        let encoder = try AudioEncoder(settings, startTime: .zero)
        let cardRate = Double(sampleRate) * (1 + partsPerMillion / 1e6)
        var packets: [MediaPacket] = []
        let blockLength = 1024
        for block in 0..<Int((Double(seconds) * cardRate).rounded(.up)) / blockLength {
            let start = Double(block * blockLength) / cardRate
            var samples = [Float](repeating: 0, count: blockLength)
            // Most blocks have nothing of a beep in them.
            if start.truncatingRemainder(dividingBy: 1) < 0.1 || start.truncatingRemainder(dividingBy: 1) > 0.9 {
                for index in samples.indices {
                    let time = start + Double(index) / cardRate
                    guard time >= 1, time.truncatingRemainder(dividingBy: 1) < 0.1 else { continue }
                    // A cosine begins at once.
                    samples[index] = Float(0.8 * cos(2 * .pi * 1000 * (time - time.rounded(.down))))
                }
            }
            packets += try encoder.encode(
                SoundBlock(
                    samples: samples, channelCount: 1, sampleRate: sampleRate,
                    time: MediaTime(seconds: start, preferredTimescale: 1_000_000_000)))
        }
        return packets + (try encoder.finish())
    }

    /// When each flash and each beep begins in a file, as ffmpeg decodes it, in its own clock.
    static func times(_ path: String) async throws -> (flashes: [Double], beeps: [Double]) {
        let output = try await ExternalProgram.ffmpeg.run([
            "-hide_banner", "-nostats", "-copyts", "-i", path, "-map", "0:v", "-map", "0:a", "-vf",
            "blackdetect=d=0.3:pix_th=0.5", "-af", "silencedetect=n=0.2:d=0.3", "-f", "null", "-",
        ])
        func values(_ name: String) -> [Double] {
            output.standardError.split(whereSeparator: { $0.isWhitespace || $0 == "|" }).map(String.init)
                .enumeratedPairs(after: name)
        }
        return (values("black_end:"), values("silence_end:"))
    }

    /// Finds flash and beep at chosen seconds, and how far each beep is from its flash.
    ///
    /// - Parameters:
    ///   - path: What an output has written.
    ///   - name: What it is called where it fails.
    /// - Throws: Where it cannot be read, or flashes are missing.
    func check(_ path: String, name: String) async throws {
        let (flashes, beeps) = try await Self.times(path)
        // Silence and black that end with the file are no beginnings.
        let pairs = flashes.compactMap { flash -> (flash: Double, beep: Double)? in
            beeps.min { abs($0 - flash) < abs($1 - flash) }.map { (flash, $0) }
        }.filter { abs($0.beep - $0.flash) < 0.3 }
        try #require(
            pairs.count >= seconds - 1, "\(name): \(pairs.count) of \(seconds - 1) flashes")
        let distances = pairs.prefix(seconds - 1).map { $0.beep - $0.flash }
        let worst = distances.enumerated().max { abs($0.element) < abs($1.element) }
        #expect(
            distances.allSatisfy { abs($0) <= 0.005 },
            "\(name): the beep of second \((worst?.offset ?? 0) + 1) is \((worst?.element ?? 0) * 1000) ms late")
        print(
            "\(name): beep less flash in ms: first \((distances.first ?? 0) * 1000), last \((distances.last ?? 0) * 1000), "
                + "worst \((worst?.element ?? 0) * 1000)")
    }
}

extension [String] {
    /// The numbers that stand behind a word, in the same element or in the next.
    fileprivate func enumeratedPairs(after word: String) -> [Double] {
        indices.compactMap { index in
            guard self[index].hasPrefix(word) else { return nil }
            let rest = self[index].dropFirst(word.count)
            if !rest.isEmpty { return Double(rest) }
            return index + 1 < count ? Double(self[index + 1]) : nil
        }
    }
}
