// SPDX-License-Identifier: MIT

import CVA
import FoundationEssentials
import Testing

@testable import VAAPIBackend

/// What Intel's driver said on a machine when `Tests/IntelDrivers/tables.txt` was recorded.
struct RecordedOffers {
    /// What the driver calls itself.
    let driver: String
    /// Attribute words as the driver gave them, for each profile and entry point.
    let words: [VAProfile: [VAEntrypoint: [VAConfigAttribType: UInt32]]]

    /// Reads the table of a machine.
    init(of machine: IntelMachine) throws {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/IntelDrivers/tables.txt"
        let lines = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n")
        // Machines that offer the same share a table below all their titles.
        let behind = try #require(lines.firstIndex(of: "[\(machine.title)]"), "\(machine.title) is not recorded")
        let table = lines[behind...].drop { $0.hasPrefix("[") }.prefix { !$0.hasPrefix("[") }
        driver = String(try #require(table.first))
        var words: [VAProfile: [VAEntrypoint: [VAConfigAttribType: UInt32]]] = [:]
        for line in table.dropFirst() {
            let columns = line.split(separator: " ")
            let entrypoint = try #require(Self.entrypoints[String(columns[1])])
            var attributes: [VAConfigAttribType: UInt32] = [:]
            for column in columns.dropFirst(2) {
                let sides = column.split(separator: "=")
                guard let type = Self.attributes[String(sides[0])] else { continue }
                attributes[type] = UInt32(sides[1], radix: 16)
            }
            for name in columns[0].split(separator: "+") {
                words[try #require(Self.profiles[String(name)]), default: [:]][entrypoint] = attributes
            }
        }
        self.words = words
    }

    private static let profiles = [
        "H264ConstrainedBaseline": VAProfileH264ConstrainedBaseline, "H264Main": VAProfileH264Main,
        "H264High": VAProfileH264High, "HEVCMain": VAProfileHEVCMain, "HEVCMain10": VAProfileHEVCMain10,
    ]
    private static let entrypoints = ["EncSlice": VAEntrypointEncSlice, "EncSliceLP": VAEntrypointEncSliceLP]
    /// The attributes that the back end asks for.
    private static let attributes = [
        "RTFormat": VAConfigAttribRTFormat, "RateControl": VAConfigAttribRateControl,
        "EncPackedHeaders": VAConfigAttribEncPackedHeaders, "EncMaxRefFrames": VAConfigAttribEncMaxRefFrames,
        "MaxPictureWidth": VAConfigAttribMaxPictureWidth, "MaxPictureHeight": VAConfigAttribMaxPictureHeight,
        "EncQualityRange": VAConfigAttribEncQualityRange, "PredictionDirection": VAConfigAttribPredictionDirection,
        "EncMaxSlices": VAConfigAttribEncMaxSlices, "EncSliceStructure": VAConfigAttribEncSliceStructure,
        "EncHEVCFeatures": VAConfigAttribEncHEVCFeatures, "EncHEVCBlockSizes": VAConfigAttribEncHEVCBlockSizes,
        "EncROI": VAConfigAttribEncROI,
    ]
}
