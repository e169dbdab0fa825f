// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import ParameterSets
import StreamInspection

/// The units of a stream as a table, with the fields of each below it.
struct InspectionText: InspectionFormat {
    private let showsFields: Bool
    private let columns: [Column]

    /// A column of fixed width, as units are printed before the next one is known.
    private struct Column {
        let title: String
        let width: Int
        let isNumber: Bool
        let cell: @Sendable (InspectedUnit) -> String

        init(
            _ title: String, _ width: Int, isNumber: Bool = true, cell: @escaping @Sendable (InspectedUnit) -> String
        ) {
            self.title = title
            self.width = width
            self.isNumber = isNumber
            self.cell = cell
        }
    }

    /// Prepares the table of one stream.
    init(_ stream: StreamSummary, showsFields: Bool) {
        self.showsFields = showsFields
        var columns = [Column("number", 7) { $0.number.map(String.init) ?? "-" }]
        switch stream.container {
        case .packets: columns.append(Column("packet", 7) { $0.place.container.map(String.init) ?? "record" })
        case .tags: columns.append(Column("tag", 7) { $0.place.container.map(String.init) ?? "-" })
        case nil: break
        }
        columns += [
            Column("position", 11) { String($0.place.position) }, Column("length", 9) { String($0.length) },
        ]
        switch stream.codec {
        case .h264:
            columns.append(Column("nal_ref_idc", 11, isNumber: false) { Self.headerWord($0.words.first, of: $0) })
        case .hevc:
            columns += [
                Column("layer", 5) { Self.headerWord($0.words.first, of: $0) },
                Column("temporal", 8) { Self.headerWord($0.words.last, of: $0) },
            ]
        }
        columns.append(Column("type", 4, isNumber: false) { Self.type(of: $0) })
        self.columns = columns
    }

    func opening(_ stream: StreamSummary) -> String {
        var text = "\(stream.path == "-" ? "standard input" : stream.path.shown): \(stream.format)\n"
        text += "positions and lengths in bytes"
        text += showsFields ? "; fields: bit in the unit, bits, name, value\n" : "\n"
        if showsFields, !stream.record.isEmpty {
            text += "\nconfiguration record\n" + stream.record.map(Self.line).joined()
        }
        return text + "\n" + row(columns.map(\.title)) + row(columns.map { String(repeating: "-", count: $0.width) })
    }

    func unit(_ unit: InspectedUnit) -> String {
        var text = row(columns.map { $0.cell(unit) })
        if showsFields {
            text += unit.elements.map(Self.line).joined()
            for fact in unit.derived { text += "                = \(fact.name) \(Self.words(fact.value))\n" }
        }
        if let error = unit.error { text += "        error: \(error)\n" }
        return text
    }

    func closing() -> String { "" }

    private func row(_ cells: [String]) -> String {
        var text = ""
        for (column, cell) in zip(columns, cells) {
            if !text.isEmpty { text += "  " }
            text += Self.padded(cell, to: column.width, isNumber: column.isNumber)
        }
        while text.last == " " { text.removeLast() }
        return text + "\n"
    }

    private static func line(_ element: SyntaxElement) -> String {
        padded(String(element.bitPosition), to: 12, isNumber: true) + "  "
            + padded(String(element.bitLength), to: 5, isNumber: true) + "  "
            + padded(element.name.description, to: 44, isNumber: false) + "  \(value(of: element))\n"
    }

    private static func value(of element: SyntaxElement) -> String {
        switch element.value {
        case .number(let number): String(number)
        case .opaque(let bits) where bits.isEmpty: "-"
        case .opaque(let bits): bits.hexadecimal(limit: 16) + (bits.bytes.count > 16 ? "..." : "")
        }
    }

    /// A word of a NAL unit's header.
    private static func headerWord(_ word: Labelled<String>?, of unit: InspectedUnit) -> String {
        unit.number == nil ? "-" : word?.value ?? "-"
    }

    private static func type(of unit: InspectedUnit) -> String {
        guard let name = unit.typeName else { return unit.number == nil ? "no NAL unit" : "unreadable header" }
        let details = unit.derived.compactMap { fact -> String? in
            switch fact.name {
            case "slice_type_name", "payloads", "frame", "codec", "packet": words(fact.value)
            case "time_ms": words(fact.value) + " ms"
            default: nil
            }
        }
        let partWords = unit.number == nil ? unit.words.map { "\($0.name) \($0.value)" } : []
        return ([name] + partWords + details).joined(separator: ", ")
    }

    private static func words(_ value: DerivedValue) -> String {
        switch value {
        case .number(let number): String(number)
        case .numbers(let numbers): numbers.map(String.init).joined(separator: ", ")
        case .text(let text): text
        case .list(let texts): texts.joined(separator: ", ")
        }
    }

    private static func padded(_ text: String, to width: Int, isNumber: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.utf8.count))
        return isNumber ? blanks + text : text + blanks
    }
}
