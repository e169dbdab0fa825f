// SPDX-License-Identifier: MIT

import ParameterSets
import Testing

/// No writer loses a value: with any field set to anything, a unit is refused or reads as what was written.
@Suite struct NothingDroppedTests {
    @Test("every field of every H.264 unit is written or refused", arguments: 0..<16 as Range<UInt64>)
    func h264(seed: UInt64) throws {
        var check = DropCheck<H264NALUnit>()
        let sps = try random(H264SPS(), seed, in: ())
        var sets = H264ParameterSets()
        sets.insert(sps)
        check.run("SPS", sps, in: sets) { .init(header: H264SPS.defaultHeader, payload: .sps($0)) }
        let pps = try random(H264PPS(), seed, in: sets)
        check.run("PPS", pps, in: sets) { .init(header: H264PPS.defaultHeader, payload: .pps($0)) }
        sets = H264ParameterSets(sps: sps, pps: pps)
        check.run("subset SPS", try random(H264SubsetSPS(), seed, in: ()), in: sets) {
            .init(header: H264SubsetSPS.defaultHeader, payload: .subsetSPS($0))
        }
        check.run("SPS extension", try random(H264SPSExtension(), seed, in: ()), in: sets) {
            .init(header: H264SPSExtension.defaultHeader, payload: .spsExtension($0))
        }
        for type in [H264NALUnitType.slice, .slicePartitionA, .idrSlice] {
            let header = H264NALUnitHeader(type: type, refIdc: Int(seed) & 1)
            var slice = H264NALUnit.Slice()
            slice.header = try random(slice.header, seed, in: .init(header: header, parameterSets: sets))
            slice.sliceID = type == .slicePartitionA ? 5 : nil
            slice.data = OpaqueBits([0x80])
            // What follows is CABAC data, which begins at a whole byte, or not.
            guard pps.entropyCodingModeFlag else { continue }
            check.run("\(type)", slice, in: sets) { .init(header: header, payload: .slice($0)) }
        }
        for type in [0, 1, 4, 5, 6, 47, 137, 144, 147, 200] {
            var payload = H264SEIPayload(payloadType: type, parameterSets: sets)
            var (values, changed) = (RandomValues(seed: seed), sets)
            try payload.code(with: &values, parameterSets: &changed)
            check.run("SEI \(type)", payload, in: sets) {
                .init(header: .init(type: .sei, refIdc: 0), payload: .sei(.init([$0])))
            }
        }
        check.run("delimiter", H264AccessUnitDelimiter(), in: sets) {
            .init(header: .init(type: .accessUnitDelimiter, refIdc: 0), payload: .accessUnitDelimiter($0))
        }
        for count in [-1, .min, 3] {
            check.run("filler", FillerData(count: count), in: sets, deep: false) {
                .init(header: .init(type: .filler, refIdc: 0), payload: .filler($0))
            }
        }
        check.expect(seed)
    }

    @Test("every field of every HEVC unit is written or refused", arguments: 0..<4 as Range<UInt64>)
    func hevc(seed: UInt64) throws {
        var check = DropCheck<HEVCNALUnit>()
        let sps = try random(HEVCSPS(), seed, in: .baseLayer)
        let pps = try random(HEVCPPS(), seed, in: ())
        let vps = try random(HEVCVPS(), seed, in: ())
        let sets = HEVCParameterSets(vps: vps, sps: sps, pps: pps)
        check.run("VPS", vps, in: sets) { .init(header: HEVCVPS.defaultHeader, payload: .vps($0)) }
        check.run("SPS", sps, in: sets) { .init(header: HEVCSPS.defaultHeader, payload: .sps($0)) }
        check.run("PPS", pps, in: sets) { .init(header: HEVCPPS.defaultHeader, payload: .pps($0)) }
        let layer = HEVCNALUnitHeader(type: .sps, layerID: 1)
        let layerSPS = try random(HEVCSPS(), seed, in: .init(header: layer, parameterSets: sets))
        check.run("SPS of layer 1", layerSPS, in: sets) { .init(header: layer, payload: .sps($0)) }
        for type in [HEVCNALUnitType.trailR, .idrNLP, .cra] {
            let header = HEVCNALUnitHeader(type: type)
            guard
                let segment = try? random(
                    HEVCSliceSegmentHeader(), seed, in: .init(header: header, parameterSets: sets))
            else { continue }
            check.run("\(type)", segment, in: sets) {
                .init(header: header, payload: .sliceSegment($0, data: OpaqueBits([0x80])))
            }
        }
        for type in [0, 1, 4, 5, 6, 47, 129, 132, 136, 137, 144, 147, 200] {
            var payload = HEVCSEIPayload(payloadType: type, parameterSets: sets)
            var (values, changed) = (RandomValues(seed: seed), sets)
            try payload.code(with: &values, parameterSets: &changed)
            check.run("SEI \(type)", payload, in: sets) {
                .init(header: .init(type: .prefixSEI), payload: .sei(.init([$0])))
            }
        }
        check.run("delimiter", HEVCAccessUnitDelimiter(), in: sets) {
            .init(header: .init(type: .accessUnitDelimiter), payload: .accessUnitDelimiter($0))
        }
        for count in [-1, .min, 3] {
            check.run("filler", FillerData(count: count), in: sets, deep: false) {
                .init(header: .init(type: .filler), payload: .filler($0))
            }
        }
        check.expect(seed)
    }

    private func random<Structure: SyntaxStructure>(
        _ structure: Structure, _ seed: UInt64, in context: Structure.Context
    ) throws(ParameterSetError) -> Structure {
        // Some draws leave nothing of a picture or more references than there may be.
        for attempt in 0..<100 as Range<UInt64> {
            var (copy, values) = (structure, RandomValues(seed: seed &* 1000 &+ attempt))
            do {
                try copy.code(with: &values, in: context)
                return copy
            } catch {
                continue
            }
        }
        throw ParameterSetError(.unsupported, reason: "no draw of \(Structure.self) is legal")
    }
}

/// Writes units with single fields changed, and compares what is read with what was to be written.
private struct DropCheck<Unit: CodedNALUnit> {
    private var dropped: Set<String> = []
    private var written = 0
    private var refused = 0

    mutating func run<Payload>(
        _ name: String, _ payload: Payload, in parameterSets: Unit.Context, deep: Bool = true,
        _ unit: (Payload) -> Unit
    ) {
        // As many bytes of filler as an `Int` holds would take memory without end.
        let units =
            !deep ? [] : fieldChanges(of: payload).map { ($0.field, unit($0.value)) } + fieldChanges(of: unit(payload))
        for (field, changed) in [("", unit(payload))] + units {
            guard let bytes = try? changed.nalUnit(in: parameterSets) else {
                refused += 1
                continue
            }
            written += 1
            if (try? Unit(nalUnit: bytes, in: parameterSets)) != changed {
                dropped.insert("\(name) \(field)")
            }
        }
    }

    func expect(_ seed: UInt64) {
        #expect(dropped.isEmpty, "seed \(seed): \(dropped.sorted().joined(separator: ", "))")
        #expect(written > 100 && refused > 20, "seed \(seed): \(written) written, \(refused) refused")
    }
}
