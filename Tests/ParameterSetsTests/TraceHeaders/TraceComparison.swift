// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// Compares this library's traces with FFmpeg's, unit by unit and field by field.
struct TraceComparison<Unit: CodedNALUnit> {
    /// A name that FFmpeg spells otherwise than the standard, with the clause that has the standard's name.
    struct Renaming {
        var theirs: String
        var ours: String
        var clause: String
    }

    /// Names that differ.
    var renamings: [Renaming]
    /// Whether FFmpeg does not print units of such a header.
    var isUnprinted: @Sendable (Unit.Header) -> Bool

    /// What has been compared.
    private(set) var unitCount = 0
    private(set) var elementCount = 0
    /// The names of elements that have been compared, with their indices.
    private(set) var comparedFields: Set<String> = []
    /// Names FFmpeg printed, with the standard's.
    private var standardNames: [String: String] = [:]
    /// Differences that nothing explains.
    private(set) var differences: [String] = []
    private(set) var parameterSets = Unit.Context()

    init(renamings: [Renaming], isUnprinted: @escaping @Sendable (Unit.Header) -> Bool) {
        self.renamings = renamings
        self.isUnprinted = isUnprinted
    }

    /// Notes a difference of the whole file.
    mutating func add(difference: String) {
        differences.append(difference)
    }

    /// Takes up parameter sets that came from elsewhere.
    mutating func takeUp(_ units: [[UInt8]]) {
        for unit in units { _ = Unit.trace(unit, updating: &parameterSets) }
    }

    /// Compares units of one packet with what FFmpeg printed of it.
    mutating func compare(units: [[UInt8]], with printed: [[TraceHeadersLog.Element]], place: String) {
        var printed = printed[...]
        for (index, unit) in units.enumerated() {
            let place = "\(place) unit \(index)"
            let before = parameterSets
            let trace = Unit.trace(unit, updating: &parameterSets)
            checkRoundTrip(unit, in: before, place: place)
            guard let theirs = printed.first, Self.haveSameHeader(trace.elements, theirs) else {
                if let header = try? Unit.Header(nalUnit: unit), !isUnprinted(header) {
                    differences.append("\(place): FFmpeg prints no unit of type \(header.type)")
                }
                continue
            }
            printed = printed.dropFirst()
            unitCount += 1
            if let error = trace.error {
                differences.append("\(place): \(error)")
            }
            compare(trace.elements, theirs, place: place)
        }
        if !printed.isEmpty {
            differences.append("\(place): FFmpeg prints \(printed.count) more units")
        }
    }

    private static func haveSameHeader(_ ours: [SyntaxElement], _ theirs: [TraceHeadersLog.Element]) -> Bool {
        zip(ours.prefix(3), theirs.prefix(3)).allSatisfy { $0.number == $1.value }
    }

    private mutating func checkRoundTrip(_ bytes: [UInt8], in parameterSets: Unit.Context, place: String) {
        guard let unit = try? Unit(nalUnit: bytes, in: parameterSets) else { return }
        let written = try? unit.nalUnit(in: parameterSets)
        let kept = bytes.withoutTrailingZeros
        if written != kept {
            let at = zip(written ?? [], kept).enumerated().first { $1.0 != $1.1 }?.offset ?? written?.count ?? 0
            differences.append("\(place): written again, a unit of \(kept.count) bytes differs from byte \(at) on")
        }
    }

    private mutating func compare(
        _ ours: [SyntaxElement], _ theirs: [TraceHeadersLog.Element], place: String
    ) {
        var theirs = theirs[...]
        for element in ours {
            guard let first = Self.whole(&theirs, bitLength: element.bitLength) else {
                // FFmpeg does not print slice data.
                if element.number != nil {
                    differences.append("\(place): FFmpeg prints nothing at \(element.bitPosition) \(element.name)")
                    return
                }
                continue
            }
            elementCount += 1
            comparedFields.insert(element.name.description)
            switch element.value {
            case .number(let value):
                let name = standardName(first.name)
                // Of some elements FFmpeg prints no index.
                let ownName = name.contains("[") ? element.name.description : element.name.field
                guard
                    ownName == name, element.bitPosition == first.position,
                    element.bitLength == first.bits.count, value == first.value
                else {
                    differences.append(
                        "\(place): \(element.bitPosition)+\(element.bitLength) \(element.name) = \(value), FFmpeg: "
                            + "\(first.position)+\(first.bits.count) \(name) = \(first.value)")
                    return
                }
                theirs = theirs.dropFirst()
            case .opaque(let bits):
                let end = element.bitPosition + element.bitLength
                let inside = theirs.prefix { $0.position < end }
                let printedBits = inside.map(\.bits).joined()
                let ownBits = Self.digits(bits)
                guard printedBits == ownBits || inside.isEmpty else {
                    differences.append("\(place): \(element.name) at \(element.bitPosition) has other bits")
                    return
                }
                theirs = theirs.dropFirst(inside.count)
            }
        }
        if let first = theirs.first {
            differences.append("\(place): FFmpeg prints \(theirs.count) more elements, first \(first.name)")
        }
    }

    /// The next printed element; FFmpeg prints reserved fields of more than 32 bits in pieces, which are joined.
    private static func whole(
        _ printed: inout ArraySlice<TraceHeadersLog.Element>, bitLength: Int
    ) -> TraceHeadersLog.Element? {
        while let first = printed.first, first.bits.count < bitLength, bitLength > 32,
            let second = printed.dropFirst().first, second.name == first.name
        {
            var joined = first
            joined.bits += second.bits
            joined.value = first.value << second.bits.count | second.value
            printed = [joined] + printed.dropFirst(2)
        }
        return printed.first
    }

    private mutating func standardName(_ name: String) -> String {
        if let known = standardNames[name] { return known }
        let standard = rename(name)
        standardNames[name] = standard
        return standard
    }

    private func rename(_ name: String) -> String {
        var name = Substring(name)
        // FFmpeg prints members of its own structures, such as `nal.initial_cpb_removal_delay[0]`.
        if let dot = name.lastIndex(of: ".") {
            name = name[name.index(after: dot)...]
        }
        let stem = name.prefix { $0 != "[" }
        let renamed = renamings.first { $0.theirs == stem }?.ours
        return (renamed ?? String(stem)) + name.dropFirst(stem.count)
    }

    private static func digits(_ bits: OpaqueBits) -> String {
        var digits = ""
        for index in 0..<bits.count {
            digits += bits.bytes[index / 8] & (0x80 >> UInt8(index % 8)) == 0 ? "0" : "1"
        }
        return digits
    }
}
