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
    /// The SEI in which a library names itself and its options; not for the stream.
    case versionSEI
    /// Anything else belongs to the picture.
    case other

    init(of unit: UnsafeRawBufferPointer, codec: VideoCodec) {
        let bytes = unit.bindMemory(to: UInt8.self).span
        let role: NALUnitRole? =
            switch codec {
            case .h264: (try? H264NALUnitHeader(nalUnit: bytes)).map { Self.h264($0, unit) }
            case .hevc: (try? HEVCNALUnitHeader(nalUnit: bytes)).map { Self.hevc($0, unit) }
            }
        self = role ?? .other
    }

    private static func h264(_ header: H264NALUnitHeader, _ unit: UnsafeRawBufferPointer) -> NALUnitRole {
        switch header.type {
        case .idrSlice: .slice(.sync)
        case .slice, .slicePartitionA, .slicePartitionB, .slicePartitionC: .slice(.none)
        case .sps, .pps: .parameterSet
        case .accessUnitDelimiter: .delimiter
        case .sei: isVersionSEI(unit.dropFirst(header.byteCount)) ? .versionSEI : .other
        default: .other
        }
    }

    private static func hevc(_ header: HEVCNALUnitHeader, _ unit: UnsafeRawBufferPointer) -> NALUnitRole {
        switch header.type {
        case .idrWRADL, .idrNLP: .slice(.sync)
        case .cra, .blaWLP, .blaWRADL, .blaNLP: .slice(.openGOP)
        case .vps, .sps, .pps: .parameterSet
        case .accessUnitDelimiter: .delimiter
        case .prefixSEI: isVersionSEI(unit.dropFirst(header.byteCount)) ? .versionSEI : .other
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
        case .versionSEI: false
        }
    }
}

// MARK: - Version SEI

extension NALUnitRole {
    /// The UUIDs under which x264 and x265 write their version (user data unregistered, payload type 5).
    private static let versionUUIDs: [[UInt8]] = [
        [0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF],
        [0x2C, 0xA2, 0xDE, 0x09, 0xB5, 0x17, 0x47, 0xDB, 0xBB, 0x55, 0xA4, 0xFE, 0x7F, 0xC2, 0xFC, 0x4E],
    ]

    /// Whether the first message after the NAL unit header is a version; neither UUID needs emulation prevention.
    private static func isVersionSEI(_ messages: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard messages.first == 5 else { return false }
        let sized = messages.dropFirst().drop { $0 == 0xFF }.dropFirst()
        return versionUUIDs.contains { sized.starts(with: $0) }
    }
}
