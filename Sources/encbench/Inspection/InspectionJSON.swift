// SPDX-License-Identifier: MIT

import CommandOptions
import ParameterSets
import StreamInspection

/// The units of a stream as a JSON array, one line each, so that it can be written and read unit by unit.
///
/// Every field of the syntax is a member under its name in the standard; one that comes more than once, or has an
/// index, is an array in decode order.
struct InspectionJSON: InspectionFormat {
    private let showsFields: Bool
    private var isFirst = true

    /// Prepares an array.
    init(showsFields: Bool) { self.showsFields = showsFields }

    func opening(_ stream: StreamSummary) -> String { "[" }

    mutating func unit(_ unit: InspectedUnit) -> String {
        defer { isFirst = false }
        var object = JSONObjectText()
        Self.describe(unit, in: &object)
        let elements = showsFields ? unit.elements[...] : unit.elements.prefix(unit.headerElementCount)
        for field in Self.fields(elements) { object.add(field.name, field.text) }
        if showsFields {
            object.add("elements", JSONText.array(unit.elements.map(Self.element)))
            if !unit.derived.isEmpty { object.add("derived", Self.derived(unit.derived)) }
        }
        if let error = unit.error { object.add("error", Self.error(error)) }
        return (isFirst ? "\n" : ",\n") + object.text
    }

    func closing() -> String { "\n]\n" }

    private static func describe(_ unit: InspectedUnit, in object: inout JSONObjectText) {
        if let number = unit.number { object.add("number", String(number)) }
        switch unit.place {
        case .stream(let position, let length):
            object.add("position", String(position))
            object.add("start_code_length", String(length))
        case .length(let position):
            object.add("position", String(position))
        case .packet(let packet, let position):
            object.add("packet", String(packet))
            object.add("position", String(position))
        case .tag(let tag, let position):
            if let tag { object.add("tag", String(tag)) }
            object.add("position", String(position))
        case .record(let position):
            object.add("configuration_record", "true")
            object.add("position", String(position))
        }
        object.add("length", String(unit.length))
        if let name = unit.typeName { object.add("type", JSONText.string(name)) }
        if let reference = unit.words.first(where: { $0.name == "nal_ref_idc" }) {
            object.add("nal_ref_idc_meaning", JSONText.string(reference.value))
        } else {
            for word in unit.words { object.add(word.name, word.value) }
        }
    }

    /// Members of the unit, in the order in which their names first come.
    private static func fields(_ elements: ArraySlice<SyntaxElement>) -> [(name: String, text: String)] {
        var fields: [(name: String, values: [String], isArray: Bool)] = []
        var places: [String: Int] = [:]
        for element in elements where !element.isPictureData {
            let name = element.name.field
            if let place = places[name] {
                fields[place].values.append(value(of: element))
                fields[place].isArray = true
            } else {
                places[name] = fields.count
                fields.append((name, [value(of: element)], !element.name.indices.isEmpty))
            }
        }
        return fields.map { ($0.name, $0.isArray ? JSONText.array($0.values) : $0.values[0]) }
    }

    private static func element(_ element: SyntaxElement) -> String {
        var object = JSONObjectText()
        object.add("name", JSONText.string(element.name.description))
        object.add("bit", String(element.bitPosition))
        object.add("bits", String(element.bitLength))
        if !element.isPictureData { object.add("value", value(of: element)) }
        return object.text
    }

    /// A number, or bits in hexadecimal.
    private static func value(of element: SyntaxElement) -> String {
        switch element.value {
        case .number(let number): String(number)
        case .opaque(let bits): JSONText.string(bits.hexadecimal())
        }
    }

    private static func derived(_ facts: [Labelled<DerivedValue>]) -> String {
        var object = JSONObjectText()
        for fact in facts {
            switch fact.value {
            case .number(let number): object.add(fact.name, String(number))
            case .numbers(let numbers): object.add(fact.name, JSONText.array(numbers.map(String.init)))
            case .text(let text): object.add(fact.name, JSONText.string(text))
            case .list(let texts): object.add(fact.name, JSONText.array(texts.map(JSONText.string)))
            }
        }
        return object.text
    }

    private static func error(_ error: ParameterSetError) -> String {
        var object = JSONObjectText()
        object.add("code", JSONText.string(error.code.rawValue))
        if let field = error.field { object.add("field", JSONText.string(field)) }
        if let offset = error.bitOffset { object.add("bit", String(offset)) }
        object.add("reason", JSONText.string(error.reason))
        if let claimed = error.length?.claimed { object.add("claimed_length", String(claimed)) }
        return object.text
    }
}
