// SPDX-License-Identifier: MIT

import BenchReports
import EncoderAPI

/// The settings of encoders, as `encbench properties` shows them.
struct PropertiesReport: Codable, Equatable, Sendable, TextReport {
    /// One setting of one encoder.
    struct Property: Codable, Equatable, Sendable {
        var name: String
        /// "supported", "hint" or "refused".
        var support: String
        /// What is legal, in words; nil where the setting is refused.
        var legal: String?
        /// What its numbers count; nil where they count nothing.
        var unit: String?
        /// What the encoder does where nothing is asked.
        var unset: String
        /// "session", "live" or "frame".
        var effect: String

        init(_ row: SettingRow, of capabilities: EncoderCapabilities) {
            name = row.setting.rawValue
            support = row.support(by: capabilities).rawValue
            legal = row.isSupported(by: capabilities) ? row.legalValues(with: capabilities) : nil
            unit = row.unit
            unset = row.unset
            effect = row.effect.rawValue
        }
    }

    /// One encoder.
    struct Encoder: Codable, Equatable, Sendable {
        var identifier: String
        var codec: String
        var properties: [Property]
    }

    var schemaVersion = 1
    var encoders: [Encoder] = []

    enum CodingKeys: String, CodingKey {
        case encoders
        case schemaVersion = "schema_version"
    }

    /// Adds an encoder's settings.
    mutating func add(_ encoder: EncoderDescription) {
        encoders.append(
            Encoder(
                identifier: encoder.id.rawValue, codec: encoder.codec.rawValue,
                properties: SettingRow.all.map { Property($0, of: encoder.capabilities) }))
    }

    /// One table for each encoder.
    func text(width: Int?) -> String {
        encoders.map { encoder in
            var table = TextTable([
                .words("setting"), .words("support"), .words("change"), .words("legal"), .words("unset"),
            ])
            for property in encoder.properties {
                let legal = property.legal == nil ? [] : [property.legal, property.unit].compactMap { $0 }
                table.add([
                    property.name, property.support, property.effect, legal.joined(separator: " "), property.unset,
                ])
            }
            return "\(encoder.identifier)\n\(table.text(width: width))"
        }.joined(separator: "\n")
    }
}
