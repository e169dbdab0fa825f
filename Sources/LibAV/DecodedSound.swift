// SPDX-License-Identifier: MIT

import CLibAV

/// The samples of one decoded frame, interleaved, mixed to two channels where there are more.
package struct DecodedSound {
    /// Interleaved; full scale is -1 to 1.
    package let samples: [Float]
    /// 1 or 2.
    package let channelCount: Int

    /// Nil for a format of samples that libavcodec's decoders do not give.
    package init?(_ frame: LibAVFrame) {
        let raw = frame.pointer.pointee
        let (count, channels) = (Int(raw.nb_samples), Int(raw.ch_layout.nb_channels))
        guard channels > 0, let planes = raw.extended_data,
            let (read, size, isPlanar) = Self.reading(AVSampleFormat(rawValue: raw.format))
        else { return nil }
        var samples = [Float](repeating: 0, count: count * channels)
        for channel in 0..<channels {
            guard let plane = planes[isPlanar ? channel : 0] else { return nil }
            let (start, step) = isPlanar ? (0, size) : (channel * size, channels * size)
            for index in 0..<count {
                samples[index * channels + channel] = read(UnsafeRawPointer(plane) + start + index * step)
            }
        }
        guard channels > 2 else {
            (self.samples, channelCount) = (samples, channels)
            return
        }
        let mix = StereoMix(channelCount: channels, mask: Self.mask(raw.ch_layout))
        (self.samples, channelCount) = (mix.apply(to: samples), 2)
    }

    /// Where each channel is heard; zero where the file does not say.
    private static func mask(_ layout: AVChannelLayout) -> UInt64 {
        layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0
    }

    private static func reading(
        _ format: AVSampleFormat
    ) -> (read: (UnsafeRawPointer) -> Float, size: Int, isPlanar: Bool)? {
        switch format {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P:
            ({ (Float($0.load(as: UInt8.self)) - 128) / 128 }, 1, format == AV_SAMPLE_FMT_U8P)
        case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P:
            ({ Float($0.load(as: Int16.self)) / 32_768 }, 2, format == AV_SAMPLE_FMT_S16P)
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P:
            ({ Float($0.load(as: Int32.self)) / 2_147_483_648 }, 4, format == AV_SAMPLE_FMT_S32P)
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: ({ $0.load(as: Float.self) }, 4, format == AV_SAMPLE_FMT_FLTP)
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
            ({ Float($0.load(as: Double.self)) }, 8, format == AV_SAMPLE_FMT_DBLP)
        default: nil
        }
    }
}

/// How channels around a listener become two: a pure value.
struct StereoMix: Sendable, Equatable {
    /// What of each channel goes to the left and to the right; each side sums to 1 at most.
    let weights: [(left: Float, right: Float)]

    /// Bits of a channel mask, as FFmpeg and WAV have them, for the left, the right and both sides.
    private static let (left, right, middle, low): (UInt64, UInt64, UInt64, UInt64) = (
        // Front, back, front of center, side, top front and top back.
        1 << 0 | 1 << 4 | 1 << 6 | 1 << 9 | 1 << 12 | 1 << 15, 1 << 1 | 1 << 5 | 1 << 7 | 1 << 10 | 1 << 14 | 1 << 17,
        // Front center, back center, top, top front center and top back center.
        1 << 2 | 1 << 8 | 1 << 11 | 1 << 13 | 1 << 16, 1 << 3
    )

    /// Chooses weights: front channels count whole, others 3 dB less, and the low frequencies not at all.
    ///
    /// - Parameters:
    ///   - channelCount: All channels, 3 or more.
    ///   - mask: A bit for each place, channels in the order of their bits; where its bits are not as many as the
    ///     channels, the first two are left and right, and the others both.
    init(channelCount: Int, mask: UInt64) {
        let bits = (0..<64).map { UInt64(1) << UInt64($0) }.filter { mask & $0 != 0 }
        var weights: [(left: Float, right: Float)] = (0..<channelCount).map { index in
            guard bits.count == channelCount else {
                return index == 0 ? (1, 0) : index == 1 ? (0, 1) : (0.7071, 0.7071)
            }
            let bit = bits[index]
            let part: Float = bit <= 2 ? 1 : 0.7071
            if bit & Self.low != 0 { return (0, 0) }
            if bit & Self.left != 0 { return (part, 0) }
            if bit & Self.right != 0 { return (0, part) }
            return (0.7071, 0.7071)
        }
        let loudest = max(weights.reduce(0) { $0 + $1.left }, weights.reduce(0) { $0 + $1.right }, 1)
        weights = weights.map { ($0.left / loudest, $0.right / loudest) }
        self.weights = weights
    }

    static func == (left: StereoMix, right: StereoMix) -> Bool {
        left.weights.elementsEqual(right.weights, by: ==)
    }

    /// Mixes interleaved samples.
    func apply(to samples: [Float]) -> [Float] {
        let channels = weights.count
        var mixed = [Float](repeating: 0, count: samples.count / channels * 2)
        for frame in 0..<samples.count / channels {
            for (channel, weight) in weights.enumerated() {
                let sample = samples[frame * channels + channel]
                mixed[frame * 2] += sample * weight.left
                mixed[frame * 2 + 1] += sample * weight.right
            }
        }
        return mixed
    }
}
