// SPDX-License-Identifier: MIT

/// Finds where H.264 access units begin (7.4.1.2.3, 7.4.1.2.4).
public struct H264AccessUnitDetector: AccessUnitDetector {
    /// What tells the first slice of a primary picture from a further one (7.4.1.2.4).
    private struct PictureKey: Equatable {
        var ppsID, frameNum, picOrderCntLsb, deltaPicOrderCntBottom: Int
        var spsID, idrPicID: Int
        var deltaPicOrderCnt: [Int]
        var isField, isBottomField, isReference, isIDR: Bool
    }

    private var parameterSets = H264ParameterSets()
    private var order = AccessUnitOrder()
    private var picture: PictureKey?

    /// A detector at the start of a stream.
    public init() {}

    /// Whether a unit is the first of an access unit.
    public mutating func startsAccessUnit(_ nalUnit: some ByteView & ~Escapable) throws(ParameterSetError) -> Bool {
        let header = try H264NALUnitHeader(nalUnit: nalUnit)
        switch header.type {
        case .slice, .slicePartitionA, .idrSlice:
            return order.startsAccessUnit(try placeOfSlice(nalUnit, header))
        case .sps:
            parameterSets.insert(try H264SPS(nalUnit: nalUnit))
        case .pps:
            parameterSets.insert(try H264PPS(nalUnit: nalUnit, in: parameterSets))
        case .endOfSequence, .endOfStream:
            picture = nil
        default:
            break
        }
        // A prefix unit, 14, stands before each slice of a base layer: only the slice tells whether a picture begins.
        let goesBefore = (6...9).contains(header.type.rawValue) || (15...18).contains(header.type.rawValue)
        return order.startsAccessUnit(goesBefore ? .beforePicture : .anywhere)
    }

    private mutating func placeOfSlice(
        _ nalUnit: some ByteView & ~Escapable, _ header: H264NALUnitHeader
    ) throws(ParameterSetError) -> AccessUnitOrder.Place {
        let slice = try H264SliceHeader(nalUnit: nalUnit, in: parameterSets)
        guard slice.redundantPicCnt == 0 else { return .picture }
        let key = PictureKey(
            ppsID: slice.ppsID, frameNum: slice.frameNum, picOrderCntLsb: slice.picOrderCntLsb,
            deltaPicOrderCntBottom: slice.deltaPicOrderCntBottom, spsID: parameterSets.pps(slice.ppsID)?.spsID ?? 0,
            idrPicID: slice.idrPicID, deltaPicOrderCnt: slice.deltaPicOrderCnt, isField: slice.fieldPicFlag,
            isBottomField: slice.bottomFieldFlag, isReference: header.refIdc != 0, isIDR: header.isIDR)
        defer { picture = key }
        return key == picture ? .picture : .pictureStart
    }
}

extension H264SliceHeader {
    /// Reads the header of a slice's NAL unit.
    ///
    /// - Parameters:
    ///   - nalUnit: The unit as it stands in a stream, without start code or length, of type 1, 2, 5 or 19.
    ///   - parameterSets: Those of the stream up to the unit.
    /// - Throws: ``ParameterSetError`` naming field, bit offset from the unit's first bit, value and legal range where
    ///   they are known.
    public init(nalUnit: some ByteView & ~Escapable, in parameterSets: H264ParameterSets) throws(ParameterSetError) {
        self = try nalUnit.withSpan { (bytes) throws(ParameterSetError) in
            try SliceHeaderReading.header(of: bytes, in: parameterSets) { Self.unitTypes.contains($0) }
        }
    }

    static let unitTypes: [H264NALUnitType] = [.slice, .slicePartitionA, .idrSlice, .auxiliarySlice]
}
