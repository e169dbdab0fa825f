// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import Publishing

/// Packets without a picture: what messages and queues look at is their times, their kinds and their NAL units.
enum Frames {
    /// A format of pictures; another for each number from 0 on.
    static func videoFormat(_ number: Int = 0, lengthSize: Int = 4) throws -> FormatDescription {
        let size = PictureSize(width: 320 + 16 * number, height: 240)
        let sps = try H264SPS(SequenceConfiguration(displaySize: size), profile: .high)
        let pps = H264PPS()
        let units = try [sps.nalUnit(), pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))]
        return try FormatDescription(codec: .h264, parameterSets: units, nalUnitLengthSize: lengthSize)
    }

    /// AAC of 48 kHz with two channels.
    static func audioFormat(sampleRate: Int = 48_000) throws -> AudioFormat {
        try AudioFormat(
            codec: .aac, sampleRate: sampleRate, channelCount: 2, priming: 1024, configuration: [0x11, 0x90])
    }

    /// A picture of NAL units of these sizes, behind start codes of four bytes.
    static func picture(
        _ presentation: MediaTime, decodedAt decode: MediaTime? = nil, isKey: Bool = false, isDisposable: Bool = false,
        unitSizes: [Int] = [100], format: FormatDescription
    ) -> MediaPacket {
        var (data, units): ([UInt8], [Range<Int>]) = ([], [])
        for (index, size) in unitSizes.enumerated() {
            data += [0, 0, 0, 1]
            // A slice of H.264 of the kind that the key says, and bytes in which no start code is.
            units.append(data.count..<data.count + size)
            data += [isKey ? 0x65 : 0x41] + [UInt8](repeating: UInt8(index % 200) + 3, count: size - 1)
        }
        return MediaPacket(
            format: format, presentationTime: presentation, decodeTime: decode ?? presentation,
            duration: MediaTime(value: 1, timescale: 25), isKey: isKey, isDisposable: isDisposable, data: data,
            nalUnits: units)
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
