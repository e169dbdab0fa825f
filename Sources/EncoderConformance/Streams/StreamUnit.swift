// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

/// What the header of one NAL unit says, in terms both codecs share.
struct StreamUnit {
    enum Kind: Equatable {
        case idr
        /// CRA or BLA of HEVC.
        case openRandomAccess
        case otherSlice
        case parameterSet(Int)
        case sei
        /// Filler data.
        case filler
        case other
        /// The header is cut off or breaks the standard.
        case illegalHeader
    }

    let kind: Kind
    /// The code point, or what is wrong with the header, for messages.
    let name: String
    /// Whether the header says that other pictures may refer to the picture.
    let isReference: Bool
    /// The unit, header included.
    let bytes: ArraySlice<UInt8>
    private let headerLength: Int

    init(_ bytes: ArraySlice<UInt8>, codec: VideoCodec) {
        do throws(ParameterSetError) {
            try self.init(headerOf: bytes, codec)
        } catch {
            self.init(illegal: bytes, "\(error)")
        }
    }

    private init(illegal bytes: ArraySlice<UInt8>, _ reason: String) {
        self.bytes = bytes
        (kind, name, isReference, headerLength) = (.illegalHeader, reason, false, 0)
    }

    private init(headerOf bytes: ArraySlice<UInt8>, _ codec: VideoCodec) throws(ParameterSetError) {
        self.bytes = bytes
        switch codec {
        case .h264:
            let header = try H264NALUnitHeader(nalUnit: bytes)
            let type = header.type
            headerLength = header.byteCount
            name = type.description
            isReference = header.refIdc != 0
            kind =
                switch type {
                case .idrSlice: .idr
                case .sei: .sei
                case .filler: .filler
                default: Self.kind(of: type)
                }
        case .hevc:
            let header = try HEVCNALUnitHeader(nalUnit: bytes)
            let type = header.type
            headerLength = header.byteCount
            name = type.description
            isReference = !type.isSublayerNonReference
            kind =
                if type.isIDR {
                    .idr
                } else if type.isIRAP {
                    .openRandomAccess
                } else if type == .prefixSEI || type == .suffixSEI {
                    .sei
                } else if type == .filler {
                    .filler
                } else {
                    Self.kind(of: type)
                }
        }
    }

    private static func kind(of type: some NALUnitType) -> Kind {
        if type.isParameterSet { return .parameterSet(type.rawValue) }
        return type.isVCL ? .otherSlice : .other
    }

    var isSlice: Bool { kind == .idr || kind == .openRandomAccess || kind == .otherSlice }

    var isParameterSet: Bool {
        if case .parameterSet = kind { true } else { false }
    }

    /// Whether the unit is an SEI of user data that reads as text: how libraries write their version and options.
    var isVersionSEI: Bool {
        // Payload type 5 is user data unregistered; 16 bytes of UUID come before the data (both standards, annex D).
        guard kind == .sei, bytes.dropFirst(headerLength).first == 5 else { return false }
        let sized = bytes.dropFirst(headerLength + 1)
        let data = sized.drop { $0 == 0xFF }.dropFirst(17).prefix(12)
        return data.count == 12 && data.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// The code points of the sets a format description must have.
    static func requiredSets(_ codec: VideoCodec) -> [(type: Int, name: String)] {
        switch codec {
        case .h264: [(7, "SPS"), (8, "PPS")]
        case .hevc: [(32, "VPS"), (33, "SPS"), (34, "PPS")]
        }
    }
}
