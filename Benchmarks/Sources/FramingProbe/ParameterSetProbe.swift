// SPDX-License-Identifier: MIT

import ParameterSets

/// Reads or writes one parameter set or NAL unit header many times, for `allocations` to count what that allocates.
enum ParameterSetProbe {
    /// A unit and what is done with it.
    private struct Entry: Sendable {
        var name: String
        var unit: [UInt8]
        /// How many arrays the value has that hold something.
        var arrays = 0
        /// Reads the unit once; something of the value keeps that from being left out.
        var read: @Sendable () throws -> Int
        /// Writes the unit once; the number of its bytes.
        var write: (@Sendable () throws -> Int)?
    }

    static func run(_ arguments: [String], writes: Bool = false) throws {
        guard arguments.count == 2, let count = Int(arguments[1]) else {
            for entry in try entries() {
                print(entry.name, entry.arrays)
            }
            return
        }
        guard let entry = try entries().first(where: { $0.name == arguments[0] }),
            let once = writes ? entry.write : entry.read
        else {
            fatalError("there is no \(arguments[0])")
        }
        var sum = 0
        let seconds = try time {
            for _ in 0..<count {
                sum += try once()
            }
        }
        let each = Int(seconds / Double(max(count, 1)) * 1e9)
        print("\(entry.name): \(entry.unit.count) bytes, \(each) ns (\(count) times, \(sum))")
    }

    /// Parameter sets as x264 0.164 and x265 3.5 write them, those of the tests of ParameterSets, and one
    /// by this library.
    private static func entries() throws -> [Entry] {
        [
            try h264("h264-baseline", "6742c00bd902c4effc020001d4400000fa40003a9823c50a92"),
            try h264("h264-buffer-model", "67640014acd942c4ec39a808080a000007d20001d4c1c0c001e848003d09cd8600f1429960"),
            try h264("h264-emulation-prevention", "677a0015bcd942cae88c6cd90000030001000003003c9f142996"),
            try hevc(
                "hevc-buffer-model",
                bytes(
                    "42010101600000030090000003000003003ca01520227de5959a49395e1cd40404041000003e900007530601cd66e000f42400"
                        + "1e8488")),
            try hevc(
                "hevc-range-extensions",
                bytes(
                    "4201022408000003009c0800000300007800009002a4044f95b2cacc566abcafff1e401ccb96c2000007d20000ea6010")),
            try hevc("hevc-everything", try everything()),
            h264Header("h264-header", bytes("419a2411")),
            hevcHeader("hevc-header", bytes("0201d009")),
        ]
    }

    /// A set whose arrays are many: scaling lists, reference picture sets, listed and predicted, long-term pictures.
    private static func everything() throws -> [UInt8] {
        var sps = HEVCSPS()
        sps.scalingListEnabledFlag = true
        sps.scalingLists = HEVCScalingLists()
        var coefficients = HEVCScalingLists.Coefficients()
        coefficients.values = (16..<80).map { $0 }
        sps.scalingLists?.lists[1][2] = .coded(coefficients)
        var predicted = HEVCShortTermRefPicSet(before: [.init(deltaPOC: -1, isUsedByCurrentPicture: true)])
        predicted.before.append(.init(deltaPOC: -3, isUsedByCurrentPicture: true))
        sps.shortTermRefPicSets = [predicted]
        predicted.prediction = .init()
        predicted.prediction?.deltaRPS = -2
        predicted.prediction?.uses = [.current, .later, .dropped]
        predicted.before = [
            .init(deltaPOC: -3, isUsedByCurrentPicture: true), .init(deltaPOC: -5, isUsedByCurrentPicture: false),
        ]
        sps.shortTermRefPicSets.append(predicted)
        sps.longTermRefPics = [.init(), .init()]
        return try sps.nalUnit()
    }

    private static func h264(_ name: String, _ digits: String) throws -> Entry {
        let unit = bytes(digits)
        let sps = try H264SPS(nalUnit: unit)
        return Entry(name: name, unit: unit, arrays: arrays(in: sps)) {
            try H264SPS(nalUnit: unit).levelIdc
        } write: {
            try sps.nalUnit().count
        }
    }

    private static func hevc(_ name: String, _ unit: [UInt8]) throws -> Entry {
        let sps = try HEVCSPS(nalUnit: unit)
        return Entry(name: name, unit: unit, arrays: arrays(in: sps)) {
            try HEVCSPS(nalUnit: unit).profileTierLevel.levelIdc
        } write: {
            try sps.nalUnit().count
        }
    }

    /// The header alone, which a session reads of every unit.
    private static func h264Header(_ name: String, _ unit: [UInt8]) -> Entry {
        Entry(name: name, unit: unit) { try H264NALUnitHeader(nalUnit: unit.span).type.rawValue }
    }

    private static func hevcHeader(_ name: String, _ unit: [UInt8]) -> Entry {
        Entry(name: name, unit: unit) { try HEVCNALUnitHeader(nalUnit: unit.span).type.rawValue }
    }

    /// How many arrays a value has that hold something, those in its parts included.
    private static func arrays(in value: Any) -> Int {
        let mirror = Mirror(reflecting: value)
        let own = mirror.displayStyle == .collection && !mirror.children.isEmpty ? 1 : 0
        return mirror.children.reduce(own) { $0 + arrays(in: $1.value) }
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let nibbles = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] * 16 + nibbles[$0 + 1]) }
    }
}
