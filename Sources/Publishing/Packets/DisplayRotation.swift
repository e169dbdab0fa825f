// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV
import ParameterSets

/// By how many degrees players turn pictures clockwise, where a stream says so: the samples stay as they are.
public enum DisplayRotation: Int, Sendable, Hashable, CaseIterable {
    /// As they are.
    case none = 0
    /// A quarter: the left side comes to the top.
    case degrees90 = 90
    /// A half: upside down.
    case degrees180 = 180
    /// Three quarters: the right side comes to the top.
    case degrees270 = 270

    /// `anticlockwise_rotation`, in 65536ths of a full turn.
    private var anticlockwise: Int { (360 - rawValue) % 360 * 65_536 / 360 }

    /// The SEI message that says so of a picture and those that follow it, as a NAL unit.
    ///
    /// - Throws: ``PublishingError`` with `.invalidValue`; the message can always be written.
    func message(_ codec: VideoCodec) throws(PublishingError) -> [UInt8] {
        do throws(ParameterSetError) {
            switch codec {
            case .h264:
                var turned = H264Orientation()
                // With a period of 1 it holds until the next coded video sequence begins.
                (turned.anticlockwiseRotation, turned.repetitionPeriod) = (anticlockwise, 1)
                var orientation = H264DisplayOrientation()
                orientation.orientation = turned
                var unit = H264NALUnit()
                unit.header = H264NALUnitHeader(type: .sei, refIdc: 0)
                unit.payload = .sei(SEIMessages([.displayOrientation(orientation)]))
                return try unit.nalUnit(in: H264ParameterSets())
            case .hevc:
                var turned = HEVCOrientation()
                (turned.anticlockwiseRotation, turned.persistenceFlag) = (anticlockwise, true)
                var orientation = HEVCDisplayOrientation()
                orientation.orientation = turned
                var unit = HEVCNALUnit()
                unit.header = HEVCNALUnitHeader(type: .prefixSEI)
                unit.payload = .sei(SEIMessages([.displayOrientation(orientation)]))
                return try unit.nalUnit(in: HEVCParameterSets())
            }
        } catch {
            throw PublishingError(.invalidValue, reason: "rotation \(rawValue): \(error)")
        }
    }
}

extension MediaPacket {
    /// The packet with a display orientation SEI message before its first slice, where it is a key picture.
    ///
    /// Containers of MP4 and MOV say the same by a matrix, with ``ContainerOptions/rotation``: a player goes by one of
    /// the two.
    ///
    /// - Parameter rotation: How players turn the pictures; with ``DisplayRotation/none`` the packet stays as it is.
    /// - Returns: The packet; sound and pictures that are no key pictures stay as they are, since the message holds
    ///   from a key picture to the next.
    /// - Throws: ``PublishingError`` with `.invalidState` for a picture that has such a message already: a player would
    ///   go by the last one; `.invalidValue` as a broadcast does for a packet that is none.
    public func turned(_ rotation: DisplayRotation) throws(PublishingError) -> MediaPacket {
        guard rotation != .none, isKey, let format = format.video else { return self }
        try check()
        let units = nalUnits.map { Array(bytes[$0]) }
        guard !units.contains(where: { format.codec.hasOrientation($0) }) else {
            throw PublishingError(
                .invalidState,
                reason: "a picture at \(presentationTime) that is turned already, expected one that is not")
        }
        let place = units.firstIndex { format.codec.isSlice($0) } ?? units.count
        var all = units
        all.insert(try rotation.message(format.codec), at: place)
        let isPrefixed = AccessUnitFraming(format, data: bytes, nalUnits: nalUnits).isLengthPrefixed
        let prefix = isPrefixed ? format.nalUnitLengthSize : AnnexB.startCode.count
        var (data, ranges) = ([UInt8](), [Range<Int>]())
        for unit in all {
            if isPrefixed {
                data += (0..<prefix).reversed().map { UInt8(truncatingIfNeeded: unit.count >> ($0 * 8)) }
            } else {
                data += AnnexB.startCode
            }
            ranges.append(data.count..<data.count + unit.count)
            data += unit
        }
        return MediaPacket(
            track: track, format: format, presentationTime: presentationTime, decodeTime: decodeTime,
            duration: duration, isKey: isKey, isDisposable: isDisposable, data: data, nalUnits: ranges)
    }
}

extension VideoCodec {
    fileprivate func isSlice(_ unit: [UInt8]) -> Bool {
        guard let first = unit.first else { return false }
        return switch self {
        case .h264: H264NALUnitType(rawValue: Int(first & 31)).isVCL
        case .hevc: HEVCNALUnitType(rawValue: Int(first >> 1 & 63)).isVCL
        }
    }

    /// Whether a NAL unit has a display orientation message.
    fileprivate func hasOrientation(_ unit: [UInt8]) -> Bool {
        switch self {
        case .h264:
            guard let first = unit.first, H264NALUnitType(rawValue: Int(first & 31)) == .sei,
                case .sei(let messages)? = (try? H264NALUnit(nalUnit: unit, in: H264ParameterSets()))?.payload
            else { return false }
            return messages.payloads.contains { if case .displayOrientation = $0 { true } else { false } }
        case .hevc:
            guard let first = unit.first, HEVCNALUnitType(rawValue: Int(first >> 1 & 63)) == .prefixSEI,
                case .sei(let messages)? = (try? HEVCNALUnit(nalUnit: unit, in: HEVCParameterSets()))?.payload
            else { return false }
            return messages.payloads.contains { if case .displayOrientation = $0 { true } else { false } }
        }
    }
}
