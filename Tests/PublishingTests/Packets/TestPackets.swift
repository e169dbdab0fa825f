// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import Publishing

/// Packets without a picture: what queues and clocks look at is their times, their kinds and their sizes.
enum TestPackets {
    /// A format of pictures; another for each number from 0 on.
    static func videoFormat(_ number: Int = 0) throws -> FormatDescription {
        let size = PictureSize(width: 320 + 16 * number, height: 240)
        let sps = try H264SPS(SequenceConfiguration(displaySize: size), profile: .high)
        let pps = H264PPS()
        let units = try [sps.nalUnit(), pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))]
        return try FormatDescription(codec: .h264, parameterSets: units)
    }

    /// AAC of 48 kHz with two channels; without priming, so that it starts at zero.
    static func audioFormat(priming: Int = 0, sampleRate: Int = 48_000) throws -> AudioFormat {
        try AudioFormat(
            codec: .aac, sampleRate: sampleRate, channelCount: 2, priming: priming, configuration: [0x11, 0x90])
    }

    /// A picture of the stream at 25 frames in a second.
    static func picture(
        _ presentation: MediaTime, decodedAt decode: MediaTime? = nil, isKey: Bool = false, isDisposable: Bool = false,
        byteCount: Int = 1000, format: FormatDescription
    ) -> MediaPacket {
        MediaPacket(
            format: format, presentationTime: presentation, decodeTime: decode ?? presentation,
            duration: MediaTime(value: 1, timescale: 25), isKey: isKey, isDisposable: isDisposable,
            data: [UInt8](repeating: 1, count: byteCount), nalUnits: [4..<byteCount])
    }

    /// A packet of sound.
    static func sound(_ time: MediaTime, byteCount: Int = 200, format: AudioFormat) -> MediaPacket {
        MediaPacket(format: format, time: time, data: [UInt8](repeating: 2, count: byteCount))
    }
}

extension MediaTime {
    /// A time in milliseconds.
    static func milliseconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1000) }
}
