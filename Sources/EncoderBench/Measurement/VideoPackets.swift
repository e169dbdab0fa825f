// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets
import StreamInspection

/// What a file has of its video: packets without the container's bytes around them.
package struct VideoPackets {
    /// As libavcodec names it: "h264", "hevc".
    package let codec: String
    /// Bytes in display order where the times tell it; those of the codec's configuration belong to the first in coding
    /// order.
    package let sizes: [Int]
    package let isSync: [Bool]
    package let isInDisplayOrder: Bool
    /// Bytes of NAL units of unregistered user data, as which x264 and x265 write their version and options; no part of
    /// ``sizes``.
    package let userDataBytes: Int

    /// Bytes of the length before each NAL unit of the configuration, as in packets.
    private static let prefixSize = 4

    /// Reads a file.
    ///
    /// NAL units of avcC and hvcC, such as parameter sets, count once where no packet has them.
    ///
    /// - Throws: ``MediaFileError``.
    package init(path: String) throws {
        let reader = try ContainerReader(path: path)
        let record = Record(reader)
        var missing = record?.units ?? []
        var userData = 0
        var packets: [(time: MediaTime?, size: Int, isSync: Bool)] = []
        while let packet = try reader.next() {
            let data = packet.data
            packets.append((packet.presentationTime, data.count, packet.isKey))
            guard let codec = reader.codec else { continue }
            let place = packets.count - 1
            let ranges =
                record.map { LengthPrefixed.scan(data, lengthSize: $0.lengthSize).ranges }
                ?? AnnexB.nalUnitRanges(in: data)
            var end = data.startIndex
            for range in ranges {
                // With its start code or its length.
                let size = range.upperBound - end
                end = range.upperBound
                guard !codec.isSlice(firstByte: data[range.lowerBound]) else { continue }
                let unit = Array(data[range])
                missing.removeAll { $0 == unit }
                guard codec.isUserData(unit) else { continue }
                userData += size
                packets[place].size -= size
            }
        }
        if let codec = reader.codec {
            let known = missing.filter(codec.isUserData)
            userData += known.reduce(0) { $0 + Self.prefixSize + $1.count }
            missing.removeAll(where: codec.isUserData)
        }
        if !packets.isEmpty { packets[0].size += missing.reduce(0) { $0 + Self.prefixSize + $1.count } }
        let isTimed = packets.allSatisfy { $0.time != nil }
        if isTimed { packets.sort { ($0.time ?? .zero) < ($1.time ?? .zero) } }
        codec = reader.codecName
        (sizes, isSync) = (packets.map(\.size), packets.map(\.isSync))
        isInDisplayOrder = isTimed
        userDataBytes = userData
    }

    /// The NAL units of avcC or hvcC.
    private struct Record {
        let lengthSize: Int
        var units: [[UInt8]] = []

        /// Nil where packets have start codes, or no length's size is known.
        init?(_ reader: ContainerReader) {
            guard reader.isLengthPrefixed, let codec = reader.codec,
                let record = try? ConfigurationRecord(reader.configurationRecord, codec: codec)
            else { return nil }
            lengthSize = record.lengthSize
            units = record.nalUnits
        }
    }
}

extension VideoCodec {
    /// Whether a NAL unit with this first byte holds a part of a picture.
    fileprivate func isSlice(firstByte byte: UInt8) -> Bool {
        switch self {
        case .h264: (1...5).contains(byte & 31)
        case .hevc: byte >> 1 & 63 < 32
        }
    }

    /// Whether a NAL unit is an SEI unit that tells unregistered user data.
    fileprivate func isUserData(_ unit: [UInt8]) -> Bool {
        switch self {
        case .h264:
            guard let unit = try? H264NALUnit(nalUnit: unit, in: H264ParameterSets()), case .sei(let sei) = unit.payload
            else { return false }
            return sei.payloads.contains { payload in
                if case .common(.userDataUnregistered) = payload { true } else { false }
            }
        case .hevc:
            guard let unit = try? HEVCNALUnit(nalUnit: unit, in: HEVCParameterSets()), case .sei(let sei) = unit.payload
            else { return false }
            return sei.payloads.contains { payload in
                if case .common(.userDataUnregistered) = payload { true } else { false }
            }
        }
    }
}
