// SPDX-License-Identifier: MIT

/// What `inspect` finds in a file.
struct InspectReport: Codable, Equatable, Sendable {
    /// One NAL unit.
    struct Unit: Codable, Equatable, Sendable {
        /// Counted from 0.
        var number: Int
        /// Where its start code starts, in bytes from the start of the file; nil inside a container.
        var offset: Int?
        /// The container's packet it lies in, counted from 0; nil in an elementary stream.
        var packet: Int?
        /// nal_ref_idc in words: disposable, low, high or highest; nil in HEVC.
        var reference: String?
        /// nuh_layer_id; nil in H.264.
        var layer: Int?
        /// TemporalId; nil in H.264.
        var temporalID: Int?
        /// nal_unit_type.
        var type: Int
        /// Its name in the standard.
        var typeName: String
        /// Bytes without the start code or length field.
        var bytes: Int
        /// What is wrong with its header.
        var error: String?

        enum CodingKeys: String, CodingKey {
            case number, offset, packet, reference, layer, type, bytes, error
            case temporalID = "temporal_id"
            case typeName = "type_name"
        }
    }

    /// One parameter set, decoded.
    struct ParameterSet: Codable, Equatable, Sendable {
        /// One syntax element.
        struct Element: Codable, Equatable, Sendable {
            /// The standard's name with indices.
            var name: String
            /// Its value; nil for bits no syntax is known for.
            var value: Int?
            /// Those bits in hexadecimal.
            var bits: String?
        }

        /// Its NAL unit's number; nil for one in the container's header.
        var unit: Int?
        var typeName: String
        var elements: [Element]
        /// Why it could not be read to its end.
        var error: String?

        enum CodingKeys: String, CodingKey {
            case unit, elements, error
            case typeName = "type_name"
        }
    }

    var schemaVersion = 1
    var file: String
    /// The container's names, or "elementary stream".
    var format: String
    var codec: String
    var units: [Unit] = []
    var parameterSets: [ParameterSet] = []
    /// Why the file could not be read to its end.
    var error: String?

    enum CodingKeys: String, CodingKey {
        case file, format, codec, units, error
        case schemaVersion = "schema_version"
        case parameterSets = "parameter_sets"
    }
}

extension InspectReport {
    /// The report for people.
    var text: String {
        let isHEVC = units.contains { $0.layer != nil }
        let isContainer = units.contains { $0.packet != nil }
        var table = TextTable([
            .number("no"), .number(isContainer ? "packet" : "offset"),
            .words(isHEVC ? "layer.temporal" : "reference"), .number("type"), .words("name"), .number("bytes"),
            .words(""),
        ])
        for unit in units {
            let place = isContainer ? unit.packet : unit.offset
            let rank = unit.layer.map { "\($0).\(unit.temporalID ?? 0)" } ?? unit.reference
            table.add([
                "\(unit.number)", place.map(String.init) ?? "-", rank ?? "-", "\(unit.type)", unit.typeName,
                "\(unit.bytes)", unit.error ?? "",
            ])
        }
        var text = "\(file): \(codec), \(format), \(units.count) NAL units\n\n" + table.text
        for set in parameterSets {
            text += "\n\(set.typeName), " + (set.unit.map { "NAL unit \($0)" } ?? "container header") + "\n"
            for element in set.elements {
                text += "  \(element.name) = \(element.value.map(String.init) ?? "0x" + (element.bits ?? ""))\n"
            }
            if let error = set.error { text += "  cannot be read further: \(error)\n" }
        }
        return text
    }
}
