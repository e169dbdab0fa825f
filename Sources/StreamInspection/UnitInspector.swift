// SPDX-License-Identifier: MIT

import ParameterSets

/// Decodes the entries of one stream, one after the other.
protocol UnitInspecting {
    /// Decodes an entry; what it sets stays known for those behind it.
    mutating func inspect(_ entry: StreamEntry) -> InspectedUnit
}

extension VideoCodec {
    /// What decodes a stream's units, from its start on.
    func makeInspector() -> any UnitInspecting {
        switch self {
        case .h264: UnitInspector<H264NALUnit>()
        case .hevc: UnitInspector<HEVCNALUnit>()
        }
    }
}

/// Decodes the units of one codec.
struct UnitInspector<Unit: InspectableUnit>: UnitInspecting {
    private var parameterSets = Unit.Context()
    private var count = 0

    /// Bytes up to which units that hold no picture are decoded: every one of their bytes may become a field.
    private static var largestHeaderUnit: Int { 1 << 20 }

    mutating func inspect(_ entry: StreamEntry) -> InspectedUnit {
        switch entry {
        case .part(let part):
            return part
        case .damage(let error, let place):
            return InspectedUnit(place: place, length: error.length?.remaining ?? 0, error: error)
        case .unit(let bytes, let place):
            defer { count += 1 }
            var unit = InspectedUnit(number: count, place: place, length: bytes.count)
            decode(bytes, into: &unit)
            return unit
        }
    }

    private mutating func decode(_ bytes: [UInt8], into unit: inout InspectedUnit) {
        let header: Unit.Header
        do throws(ParameterSetError) {
            header = try Unit.Header(nalUnit: bytes)
        } catch {
            unit.error = error
            return
        }
        unit.typeName = header.type.description
        unit.words = Unit.words(header)
        guard header.type.isVCL || bytes.count <= Self.largestHeaderUnit else {
            unit.error = ParameterSetError(
                .unsupported, reason: "has \(bytes.count) bytes, expected at most \(Self.largestHeaderUnit)")
            return
        }
        let trace = Unit.trace(bytes, updating: &parameterSets)
        unit.elements = trace.elements
        unit.error = trace.error
        unit.headerElementCount = trace.elements.prefix { $0.bitPosition < header.byteCount * 8 }.count
        unit.derived = facts(header, bytes, trace.elements)
    }

    private func facts(
        _ header: Unit.Header, _ bytes: [UInt8], _ elements: [SyntaxElement]
    ) -> [Labelled<DerivedValue>] {
        if Unit.isSequence(header) {
            return Unit.description(ofSequence: bytes)?.facts ?? []
        }
        if header.type.isVCL {
            let type = elements.first { $0.name.field == "slice_type" }?.number
            return type.map { [Labelled("slice_type_name", .text(Unit.sliceTypeName($0)))] } ?? []
        }
        let payloads = SEIPayloadNames.payloads(in: elements)
        return payloads.isEmpty ? [] : [Labelled("payloads", .list(payloads))]
    }
}
