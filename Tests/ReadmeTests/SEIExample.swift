// SPDX-License-Identifier: MIT

import ParameterSets

/// What the SEI messages of a NAL unit tell, in a line each; other units tell nothing.
func describeSEI(_ bytes: [UInt8], in parameterSets: HEVCParameterSets) throws -> [String] {
    guard case .sei(let messages) = try HEVCNALUnit(nalUnit: bytes, in: parameterSets).payload else { return [] }
    return try messages.payloads.compactMap { payload in
        switch payload {
        case .common(.masteringDisplay(let display)):
            "mastered at \(Double(display.maxDisplayMasteringLuminance) / 10_000) cd/m2"
        case .common(.contentLightLevel(let light)): "at most \(light.maxContentLightLevel) cd/m2"
        case .common(.userDataRegistered(let data)): try A53Captions(data).map { "\($0.triplets.count) captions" }
        case .common(.userDataUnregistered(let data)): String(decoding: data.payload, as: UTF8.self)
        case .recoveryPoint(let point): "pictures are right \(point.recoveryPocCnt) after this one"
        default: "payload type \(payload.payloadType)"
        }
    }
}

/// The prefix SEI unit of one message, with emulation prevention.
func seiUnit(of payload: HEVCSEIPayload, in parameterSets: HEVCParameterSets) throws -> [UInt8] {
    let unit = HEVCNALUnit(header: .init(type: .prefixSEI), payload: .sei(SEIMessages([payload])))
    return try unit.nalUnit(in: parameterSets)
}
