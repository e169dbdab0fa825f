// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import ParameterSets

/// H.264's headers and structures: frames only, slices of whole rows, no weights.
final class H264Driver: CodecDriver {
    let parameterSets: [[UInt8]]
    let packedSets: [PackedHeader]
    let sps: H264SPS
    let pps: H264PPS
    let sets: H264SliceParameterSets
    let sliceRows: [Range<Int>]
    /// Whether the structure of a picture has the whole quantizer, and those of slices add nothing: drivers that write
    /// the headers go by the picture's (Mesa 22.3).
    let hasPictureQuantizers: Bool

    /// Makes the parameter sets.
    ///
    /// - Throws: ``EncoderError`` for what no level allows or a field cannot hold.
    init(_ stream: StreamConfiguration) throws(EncoderError) {
        hasPictureQuantizers = !stream.traits.takesParameterSets
        do throws(ParameterSetError) {
            var sps = try H264SPS(
                stream.sequence, profile: stream.profile.h264 ?? .high, level: H264Level(rawValue: stream.level.level))
            sps.log2MaxFrameNumMinus4 = 4
            sps.frameCropping = stream.cropping(width: sps.codedSize.width, height: sps.codedSize.height)
            // Presentation times need not keep to the rate.
            sps.vui?.fixedFrameRateFlag = false
            var pps = H264PPS()
            pps.entropyCodingModeFlag = stream.usesCABAC
            pps.picInitQpMinus26 = stream.quantizer - 26
            pps.deblockingFilterControlPresentFlag = true
            if stream.profile == .h264High || stream.profile == .h264ConstrainedHigh {
                var high = H264PPS.HighExtension()
                high.transform8x8ModeFlag = true
                pps.high = high
            }
            (self.sps, self.pps) = (sps, pps)
            sets = H264SliceParameterSets(sps: sps, pps: pps)
            parameterSets = [try sps.nalUnit(), try pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))]
            packedSets = [
                PackedHeader(VAEncPackedHeaderSequence, parameterSet: parameterSets[0]),
                PackedHeader(VAEncPackedHeaderPicture, parameterSet: parameterSets[1]),
            ]
        } catch {
            throw EncoderError(.invalidValue, reason: "\(error)")
        }
        sliceRows = try stream.options.sliceRows(sps.picHeightInMapUnitsMinus1 + 1, stream.traits)
    }

    var codedWidth: Int { sps.codedSize.width }
    var codedHeight: Int { sps.codedSize.height }

    /// Describes a picture's slice, in place: the header is large, and is copied where it is returned.
    func describe(_ plan: PicturePlan, in header: inout H264SliceHeader) {
        let isIDR = plan.kind == .idr
        header.sliceType =
            switch plan.kind {
            case .idr: 7
            case .p: 5
            case .b: 6
            }
        header.frameNum = frameNumber(plan.referenceIndex)
        header.idrPicID = isIDR ? plan.idrIndex & 1 : 0
        if sps.picOrderCnt.type == 0 {
            header.picOrderCntLsb =
                orderCount(plan.displayIndex) & ((1 << (sps.picOrderCnt.log2MaxPicOrderCntLsbMinus4 + 4)) - 1)
        }
        header.directSpatialMvPredFlag = plan.kind == .b
        header.numRefIdxL0ActiveMinus1 = max(plan.list0.count - 1, pps.numRefIdxL0DefaultActiveMinus1)
        header.numRefIdxL1ActiveMinus1 = max(plan.list1.count - 1, pps.numRefIdxL1DefaultActiveMinus1)
        header.numRefIdxActiveOverrideFlag = header.numRefIdxL0ActiveMinus1 > 0 || header.numRefIdxL1ActiveMinus1 > 0
        header.refPicListModificationL0 = modification(plan)
        header.decRefPicMarking = plan.isReference ? H264DecRefPicMarking() : nil
        header.qpDelta = plan.quantizer - 26 - pps.picInitQpMinus26
    }

    /// What changes the usual order of a P picture's list, which is by `frame_num`, into that of the list (8.2.4.3.1);
    /// nil where they are the same.
    private func modification(_ plan: PicturePlan) -> [H264RefPicListModification]? {
        guard plan.kind == .p, !plan.kept.starts(with: plan.list0) else { return nil }
        var predicted = plan.referenceIndex
        return plan.list0.map { reference in
            defer { predicted = reference.referenceIndex }
            let difference = predicted - reference.referenceIndex
            return H264RefPicListModification(
                modificationOfPicNumsIdc: difference > 0 ? 0 : 1, value: abs(difference) - 1)
        }
    }

    func delimiter(of plan: PicturePlan) throws(ParameterSetError) -> [UInt8] {
        try H264AccessUnitDelimiter(primaryPicType: plan.kind == .idr ? 0 : plan.kind == .p ? 1 : 2).nalUnit()
    }

    func nalUnitHeader(_ plan: PicturePlan) -> H264NALUnitHeader {
        H264NALUnitHeader(type: plan.kind == .idr ? .idrSlice : .slice, refIdc: plan.isReference ? 3 : 0)
    }

    /// `frame_num`, which wraps.
    func frameNumber(_ referenceIndex: Int) -> Int { referenceIndex & ((1 << (sps.log2MaxFrameNumMinus4 + 4)) - 1) }

    /// `PicOrderCnt`: two for each frame.
    func orderCount(_ displayIndex: Int) -> Int { 2 * displayIndex }
}
