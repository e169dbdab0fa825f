// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets
import TestSupport
import Testing

/// Frames of a reference encoder, as a session would give them.
struct EncodedClip {
    let codec: VideoCodec
    let record: [UInt8]
    let packets: [ContainerPacket]
    let width: Int
    let height: Int

    /// Thirty pictures at 30000/1001 Hz with B pictures and a second key picture.
    static func make(
        _ codec: VideoCodec, size: String = "96x64", in folder: TemporaryDirectory
    ) async throws -> EncodedClip {
        let path = folder.path("reference-\(codec.rawValue)\(size == "96x64" ? "" : "-" + size).mp4")
        try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=30000/1001", "-frames:v", "30", "-pix_fmt",
            "yuv420p", "-c:v", codec == .h264 ? "libx264" : "libx265", "-bf", "3", "-g", "16",
            "-x265-params", "log-level=error", path,
        ])
        let reader = try ContainerReader(path: path)
        var packets: [ContainerPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        return EncodedClip(
            codec: codec, record: reader.configurationRecord, packets: packets, width: reader.width,
            height: reader.height)
    }

    /// The parameter sets of the record, taken out by the layout of ISO/IEC 14496-15.
    var parameterSets: [[UInt8]] {
        var sets: [[UInt8]] = []
        var position = codec == .h264 ? 5 : 23
        func take(_ count: Int) {
            for _ in 0..<count {
                let length = Int(record[position]) << 8 | Int(record[position + 1])
                sets.append(Array(record[(position + 2)..<(position + 2 + length)]))
                position += 2 + length
            }
        }
        if codec == .h264 {
            for mask in [31, 255] as [UInt8] {
                position += 1
                take(Int(record[position - 1] & mask))
            }
        } else {
            for _ in 0..<record[22] {
                position += 3
                take(Int(record[position - 2]) << 8 | Int(record[position - 1]))
            }
        }
        return sets
    }

    /// The frames in a framing, with the parameter sets in front of the first where it asks for them.
    func frames(
        lengthPrefixed: Bool = false, inBand: Bool = true, time: (MediaTime) -> MediaTime = { $0 }
    ) throws -> [EncodedFrame] {
        let format = try FormatDescription(codec: codec, parameterSets: parameterSets)
        return try packets.enumerated().map { index, packet in
            let ranges = try LengthPrefixed.nalUnitRanges(in: packet.data, lengthSize: 4)
            var units = ranges.map { Array(packet.data[$0]) }
            if index == 0, inBand { units = parameterSets + units }
            var data: [UInt8] = []
            var places: [Range<Int>] = []
            for unit in units {
                let count = unit.count
                data += lengthPrefixed ? [0, 0, UInt8(count >> 8 & 255), UInt8(count & 255)] : AnnexB.startCode
                places.append(data.count..<data.count + count)
                data += unit
            }
            let unit = AccessUnit(
                data: data, nalUnits: places, format: format, pictureType: packet.isKey ? .i : .p,
                isSync: packet.isKey)
            return EncodedFrame(
                outcome: .encoded(unit), presentationTime: time(try #require(packet.presentationTime)),
                decodeTime: time(try #require(packet.decodeTime)), duration: packet.duration)
        }
    }
}
