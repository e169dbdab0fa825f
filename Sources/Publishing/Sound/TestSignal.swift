// SPDX-License-Identifier: MIT

public import EncoderAPI
import Glibc
import LibAV

/// Sound and pictures of a known place in time: a tone, or a beep with a flash at each full second.
public struct TestSignal: Sendable, Hashable {
    /// What the signal is like.
    public enum Kind: Sendable, Hashable {
        /// The tone without an end, over grey pictures.
        case tone
        /// From one second on, at the start of each second a beep and a white picture; silence and black otherwise.
        case flashAndBeep
    }

    /// What the signal is like.
    public var kind: Kind
    /// Vibrations of the tone in a second, 1 to 20,000 and less than half the sample rate; 1000 by default.
    public var frequency: Double
    /// The largest sample, 0 to 1; 0.8 by default.
    public var level: Double
    /// How long a flash and a beep last, in milliseconds, 1 to 999; 100 by default.
    public var beepMilliseconds: Int

    /// Describes a signal; the ranges are checked where it is used.
    public init(_ kind: Kind, frequency: Double = 1000, level: Double = 0.8, beepMilliseconds: Int = 100) {
        self.kind = kind
        self.frequency = frequency
        self.level = level
        self.beepMilliseconds = beepMilliseconds
    }

    /// Whether there are flash and beep at a time.
    public func isOn(at time: MediaTime) -> Bool {
        let milliseconds = time.ticks(timescale: 1000)
        return kind == .tone || milliseconds >= 1000 && milliseconds % 1000 < beepMilliseconds
    }

    func check(sampleRate: Int) throws(PublishingError) {
        let highest = min(20_000, Double(sampleRate) / 2)
        guard frequency >= 1, frequency <= 20_000, frequency < Double(sampleRate) / 2 else {
            throw PublishingError(
                .invalidValue,
                reason: "a tone of \(frequency) Hz, expected 1 or more and less than \(highest) at \(sampleRate) Hz")
        }
        guard (0...1).contains(level) else {
            throw PublishingError(.invalidValue, reason: "a level of \(level), expected 0...1")
        }
        guard (1...999).contains(beepMilliseconds) else {
            throw PublishingError(.invalidValue, reason: "a beep of \(beepMilliseconds) ms, expected 1...999")
        }
    }
}

// MARK: - Sound

extension TestSignal {
    /// The signal's sound, from time zero on.
    public struct Sound: SoundSource, Sendable {
        private let signal: TestSignal
        private let sampleRate: Int
        private let channelCount: Int
        private let end: Int64?
        private var position: Int64 = 0

        /// Makes the sound; all channels are alike.
        ///
        /// - Parameters:
        ///   - signal: What it is like.
        ///   - sampleRate: Sample frames in a second, one of ``PCMFormat/sampleRates``.
        ///   - channelCount: Samples in a sample frame, 1 to 255.
        ///   - duration: How long it lasts; nil for no end.
        /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range.
        public init(
            _ signal: TestSignal, sampleRate: Int = 48_000, channelCount: Int = 2, duration: MediaTime? = nil
        ) throws(PublishingError) {
            try PCMFormat(sampleRate: sampleRate, channelCount: channelCount).check()
            try signal.check(sampleRate: sampleRate)
            self.signal = signal
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            end = duration.map { $0.nearestTick(timescale: Int32(sampleRate)) }
        }

        /// Gives the next 1024 sample frames, in the end fewer.
        public mutating func next() throws(PublishingError) -> SoundBlock? {
            let count = min(1024, (end ?? .max) - position)
            guard count > 0 else { return nil }
            var samples: [Float] = []
            samples.reserveCapacity(Int(count) * channelCount)
            for frame in position..<position + count {
                let isOn = signal.isOn(at: MediaTime(value: frame, timescale: Int32(sampleRate)))
                // Whole vibrations are left out, so that the phase is exact after hours.
                let turns =
                    (Double(frame % Int64(sampleRate)) * signal.frequency / Double(sampleRate))
                    + Double(frame / Int64(sampleRate)) * signal.frequency.truncatingRemainder(dividingBy: 1)
                let sample = isOn ? Float(signal.level * sin(2 * .pi * turns.truncatingRemainder(dividingBy: 1))) : 0
                for _ in 0..<channelCount { samples.append(sample) }
            }
            defer { position += count }
            return try SoundBlock(
                samples: samples, channelCount: channelCount, sampleRate: sampleRate,
                time: MediaTime(value: position, timescale: Int32(sampleRate)))
        }
    }
}

// MARK: - Pictures

extension TestSignal {
    /// The picture at a time: white in a flash, black otherwise; grey for a tone without an end.
    ///
    /// - Parameters:
    ///   - time: When it is shown.
    ///   - width: Luma samples in a row, 1 to 65,535.
    ///   - height: Luma rows, 1 to 65,535.
    /// - Returns: A picture of limited range, in I420.
    /// - Throws: `EncoderError` for a size out of its range.
    public func picture(at time: MediaTime, width: Int, height: Int) throws(EncoderError) -> PixelBuffer {
        // Limited range: 16 is black, 235 white.
        let luma: UInt8 = kind == .tone ? 126 : isOn(at: time) ? 235 : 16
        var picture = try MutablePixelBuffer(format: .i420, width: width, height: height)
        for plane in 0..<3 {
            picture.withMutablePlane(plane) { bytes, _ in
                _ = bytes.initializeMemory(as: UInt8.self, repeating: plane == 0 ? luma : 128)
            }
        }
        return PixelBuffer(picture)
    }
}
