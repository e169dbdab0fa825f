// SPDX-License-Identifier: MIT

import ParameterSets

/// What a session does with a NAL unit.
enum NALUnitRole: Equatable {
    /// What a slice says about where decoding can start.
    enum Access {
        /// IDR: here, and everything after it decodes.
        case sync
        /// CRA and BLA: here, but leading pictures may be missing.
        case openGOP
        /// Not here.
        case none
    }

    case slice(Access)
    /// Access unit delimiter: nothing of its access unit comes before it.
    case delimiter
    case parameterSet
    /// A parameter set in whose place the stream has another.
    case replacedParameterSet
    /// Anything else belongs to the picture.
    case other

    init(of unit: UnsafeRawBufferPointer, codec: VideoCodec) {
        let bytes = unit.bindMemory(to: UInt8.self).span
        let role: NALUnitRole? =
            switch codec {
            case .h264: (try? H264NALUnitHeader(nalUnit: bytes)).map { Self.h264($0) }
            case .hevc: (try? HEVCNALUnitHeader(nalUnit: bytes)).map { Self.hevc($0) }
            }
        self = role ?? .other
    }

    private static func h264(_ header: H264NALUnitHeader) -> NALUnitRole {
        switch header.type {
        case .idrSlice: .slice(.sync)
        case .slice, .slicePartitionA, .slicePartitionB, .slicePartitionC: .slice(.none)
        case .sps, .pps: .parameterSet
        case .accessUnitDelimiter: .delimiter
        default: .other
        }
    }

    private static func hevc(_ header: HEVCNALUnitHeader) -> NALUnitRole {
        switch header.type {
        case .idrWRADL, .idrNLP: .slice(.sync)
        case .cra, .blaWLP, .blaWRADL, .blaNLP: .slice(.openGOP)
        case .vps, .sps, .pps: .parameterSet
        case .accessUnitDelimiter: .delimiter
        default: header.type.isVCL ? .slice(.none) : .other
        }
    }

    /// Whether it carries samples.
    var isSlice: Bool { if case .slice = self { true } else { false } }

    /// Whether an access unit carries such a unit.
    func isKept(carriesSets: Bool) -> Bool {
        switch self {
        case .slice, .delimiter, .other: true
        case .parameterSet: carriesSets
        case .replacedParameterSet: false
        }
    }
}
