// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

// How enumerations change: to their other cases, and inside of the case that they have.

extension H264SliceGroups.Map: Changeable {
    var changes: [(field: String, value: Self)] {
        [
            ("", .dispersed), ("", .interleaved(runLengthMinus1: [1, 2])), ("", .foreground([.init()])),
            ("", .changing(type: 3, directionFlag: true, rateMinus1: 1)), ("", .explicit([1, 0])),
        ] + [1, 2, 6, 7].map { ("type", .changing(type: $0, directionFlag: true, rateMinus1: 1)) }
    }
}

extension H264NALUnitHeader.Extension: Changeable {
    var changes: [(field: String, value: Self)] { [("", .svc(.init())), ("", .mvc(.init())), ("", .depth(.init()))] }
}

extension HEVCScalingLists.List: Changeable {
    var changes: [(field: String, value: Self)] {
        switch self {
        case .copied(let delta): [("", .copied(delta: delta + 1)), ("", .coded(.init()))]
        case .coded(let coded): [("", .copied(delta: 0))] + fieldChanges(of: coded).map { ($0.field, .coded($0.value)) }
        }
    }
}

extension HEVCSliceReferences.ShortTerm: Changeable {
    var changes: [(field: String, value: Self)] {
        switch self {
        case .sequence(let index): [("", .sequence(index: index + 1)), ("", .own(.init()))]
        case .own(let set):
            [("", .sequence(index: 0))] + fieldChanges(of: set).map { ($0.field, .own($0.value)) }
        }
    }
}

extension HEVCSliceReferences.LongTerm.Name: Changeable {
    var changes: [(field: String, value: Self)] {
        [("", .sequence(index: 0)), ("", .sequence(index: 1)), ("", .own(pocLsb: 1, isUsedByCurrentPicture: true))]
    }
}

extension HEVCShortTermRefPicSet.Prediction.Use: Changeable {
    var changes: [(field: String, value: Self)] { [("", .current), ("", .later), ("", .dropped)] }
}

extension HEVCSliceHeader.Kind: Changeable {
    var changes: [(field: String, value: Self)] { [("", .b), ("", .p), ("", .i)] }
}

extension HEVCPPS3DExtension.DepthTable: Changeable {
    var changes: [(field: String, value: Self)] {
        switch self {
        case .deltas(let deltas, let isPredicted):
            [("", .deltas(deltas, isPredicted: !isPredicted)), ("", .values(.init()))]
                + fieldChanges(of: deltas).map { ($0.field, .deltas($0.value, isPredicted: isPredicted)) }
        case .values(let bits):
            [("", .deltas(.init(), isPredicted: true))] + bits.changes.map { ("", .values($0.value)) }
        }
    }
}

// Payloads are changed by themselves; of a whole unit, header and zero bytes.
extension H264NALUnit.Payload: Changeable {
    var changes: [(field: String, value: Self)] { [] }
}

extension HEVCNALUnit.Payload: Changeable {
    var changes: [(field: String, value: Self)] { [] }
}

extension H264SEIPayload: Changeable {
    var changes: [(field: String, value: Self)] {
        switch self {
        case .bufferingPeriod(let payload): fieldChanges(of: payload).map { ($0.field, .bufferingPeriod($0.value)) }
        case .picTiming(let payload): fieldChanges(of: payload).map { ($0.field, .picTiming($0.value)) }
        case .recoveryPoint(let payload): fieldChanges(of: payload).map { ($0.field, .recoveryPoint($0.value)) }
        case .displayOrientation(let payload):
            fieldChanges(of: payload).map { ($0.field, .displayOrientation($0.value)) }
        case .common(let payload): payload.changes.map { ($0.field, .common($0.value)) }
        }
    }
}

extension HEVCSEIPayload: Changeable {
    var changes: [(field: String, value: Self)] {
        switch self {
        case .bufferingPeriod(let payload): fieldChanges(of: payload).map { ($0.field, .bufferingPeriod($0.value)) }
        case .picTiming(let payload): fieldChanges(of: payload).map { ($0.field, .picTiming($0.value)) }
        case .recoveryPoint(let payload): fieldChanges(of: payload).map { ($0.field, .recoveryPoint($0.value)) }
        case .displayOrientation(let payload):
            fieldChanges(of: payload).map { ($0.field, .displayOrientation($0.value)) }
        case .activeParameterSets(let payload):
            fieldChanges(of: payload).map { ($0.field, .activeParameterSets($0.value)) }
        case .decodedPictureHash(let payload):
            fieldChanges(of: payload).map { ($0.field, .decodedPictureHash($0.value)) }
        case .timeCode(let payload): fieldChanges(of: payload).map { ($0.field, .timeCode($0.value)) }
        case .common(let payload): payload.changes.map { ($0.field, .common($0.value)) }
        }
    }
}

extension CommonSEIPayload: Changeable {
    var changes: [(field: String, value: Self)] {
        switch self {
        case .userDataRegistered(let payload):
            fieldChanges(of: payload).map { ($0.field, .userDataRegistered($0.value)) }
        case .userDataUnregistered(let payload):
            fieldChanges(of: payload).map { ($0.field, .userDataUnregistered($0.value)) }
        case .masteringDisplay(let payload): fieldChanges(of: payload).map { ($0.field, .masteringDisplay($0.value)) }
        case .contentLightLevel(let payload):
            fieldChanges(of: payload).map { ($0.field, .contentLightLevel($0.value)) }
        case .alternativeTransfer(let payload):
            fieldChanges(of: payload).map { ($0.field, .alternativeTransfer($0.value)) }
        case .other(let type, let bits): bits.changes.map { ("", .other(payloadType: type, $0.value)) }
        }
    }
}
