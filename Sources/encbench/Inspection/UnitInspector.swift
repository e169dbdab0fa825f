// SPDX-License-Identifier: MIT

import ParameterSets

/// Lists the NAL units of one stream and decodes its parameter sets.
struct UnitInspector<Unit: CodedNALUnit> {
    private(set) var units: [InspectReport.Unit] = []
    private(set) var parameterSets: [InspectReport.ParameterSet] = []
    private var context = Unit.Context()

    /// Takes the next unit of the stream.
    mutating func add(_ bytes: [UInt8], offset: Int? = nil, packet: Int? = nil) {
        let number = units.count
        do throws(ParameterSetError) {
            let header = try Unit.Header(nalUnit: bytes)
            var unit = InspectReport.Unit(
                number: number, offset: offset, packet: packet, type: header.type.rawValue,
                typeName: header.type.description, bytes: bytes.count)
            unit.describe(header)
            units.append(unit)
            if header.type.isParameterSet { addParameterSet(bytes, header: header, unit: number) }
        } catch {
            units.append(
                InspectReport.Unit(
                    number: number, offset: offset, packet: packet, type: -1, typeName: "no NAL unit",
                    bytes: bytes.count, error: "\(error)"))
        }
    }

    /// Takes a parameter set from a container's header.
    mutating func addHeader(_ bytes: [UInt8]) {
        do throws(ParameterSetError) {
            addParameterSet(bytes, header: try Unit.Header(nalUnit: bytes), unit: nil)
        } catch {
            parameterSets.append(.init(unit: nil, typeName: "no NAL unit", elements: [], error: "\(error)"))
        }
    }

    private mutating func addParameterSet(_ bytes: [UInt8], header: Unit.Header, unit: Int?) {
        let trace = Unit.trace(bytes, updating: &context)
        parameterSets.append(
            .init(
                unit: unit, typeName: header.type.description, elements: trace.elements.map { .init($0) },
                error: trace.error.map { "\($0)" }))
    }
}

extension InspectReport.Unit {
    fileprivate mutating func describe(_ header: some NALUnitHeader) {
        if let header = header as? H264NALUnitHeader {
            reference = ["disposable", "low", "high", "highest"][header.refIDC & 3]
        } else if let header = header as? HEVCNALUnitHeader {
            layer = header.layerID
            temporalID = header.temporalID
        }
    }
}

extension InspectReport.ParameterSet.Element {
    fileprivate init(_ element: SyntaxElement) {
        switch element.value {
        case .number(let number): self.init(name: element.name.description, value: number)
        case .opaque(let bits):
            let hex = bits.bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
            self.init(name: element.name.description, bits: hex)
        }
    }
}
