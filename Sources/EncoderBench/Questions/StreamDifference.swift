// SPDX-License-Identifier: MIT

import EncoderAPI
package import ParameterSets

/// How two byte streams differ, NAL unit by NAL unit.
package struct StreamDifference: Codable, Equatable, Sendable {
    /// Whether all units with samples are the same, in the same order.
    package var hasSameSlices: Bool
    /// What else differs and what not, type by type: "1 SEI more (user_data_unregistered)"; empty for equal streams.
    package var differences: [String]

    enum CodingKeys: String, CodingKey {
        case differences
        case hasSameSlices = "same_slices"
    }

    /// Whether the streams have the same units in the same order.
    package var isNone: Bool { differences.isEmpty }

    /// Compares a stream with another.
    package init(of bytes: [UInt8], with other: [UInt8], codec: VideoCodec) {
        switch codec {
        case .h264: self.init(StreamUnits<H264NALUnitHeader>(bytes), StreamUnits<H264NALUnitHeader>(other))
        case .hevc: self.init(StreamUnits<HEVCNALUnitHeader>(bytes), StreamUnits<HEVCNALUnitHeader>(other))
        }
    }

    private init<Header>(_ units: StreamUnits<Header>, _ others: StreamUnits<Header>) {
        hasSameSlices = units.slices == others.slices
        differences = []
        let names = distinct((units.units + others.units).map(\.name))
        for name in names {
            let (mine, theirs) = (units.units(named: name), others.units(named: name))
            guard mine != theirs else { continue }
            let changed = zip(mine, theirs).count { $0 != $1 }
            if mine.count == theirs.count {
                differences.append("\(changed) of \(mine.count) \(name) differ")
            } else {
                let more = theirs.count - mine.count
                differences.append("\(abs(more)) \(name) \(more > 0 ? "more" : "fewer")")
            }
        }
        if differences.isEmpty, units.units.map(\.name) != others.units.map(\.name) {
            differences.append("the same units in another order")
        }
    }
}

/// The NAL units of a byte stream with their types.
private struct StreamUnits<Header: NALUnitHeader> {
    var units: [(name: String, bytes: ArraySlice<UInt8>, isSlice: Bool)] = []

    init(_ bytes: [UInt8]) {
        for range in AnnexB.nalUnitRanges(in: bytes) {
            let unit = bytes[range]
            guard let header = try? Header(nalUnit: unit) else {
                units.append(("damaged unit", unit, false))
                continue
            }
            let payload =
                header.type.description.contains("SEI") ? Self.payloadName(unit.dropFirst(header.byteCount)) : nil
            let name = header.type.description + (payload.map { " (\($0))" } ?? "")
            units.append((name, unit, header.type.isVCL))
        }
    }

    var slices: [ArraySlice<UInt8>] { units.filter(\.isSlice).map(\.bytes) }

    func units(named name: String) -> [ArraySlice<UInt8>] { units.filter { $0.name == name }.map(\.bytes) }

    /// What the first payload of an SEI unit is: its type is coded as bytes of 255 and a last smaller one.
    private static func payloadName(_ payload: ArraySlice<UInt8>) -> String? {
        let large = payload.prefix { $0 == 255 }.count
        guard payload.count > large else { return nil }
        let type = large * 255 + Int(payload[payload.startIndex + large])
        return SEIPayloadNames.name(of: type) ?? "payload type \(type)"
    }
}
