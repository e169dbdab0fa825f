// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import ParameterSets

/// HEVC's headers and structures: one slice a picture, reference picture sets in the slices, no weights, tiles or
/// temporal motion vectors.
final class HEVCDriver: CodecDriver {
    let parameterSets: [[UInt8]]
    let packedSets: [PackedHeader]
    let sps: HEVCSPS
    let pps: HEVCPPS
    /// Whether pictures are shown in coding order.
    let isLowDelay: Bool
    let sets: HEVCParameterSets

    /// Makes the parameter sets.
    ///
    /// - Throws: ``EncoderError`` for what no level allows or a field cannot hold.
    init(_ stream: StreamConfiguration) throws(EncoderError) {
        isLowDelay = stream.sequence.reorderFrames == 0
        let (tools, blocks) = (stream.traits.tools, stream.traits.blocks)
        guard tools.temporalMotionVectors != .required else {
            throw EncoderError(
                .unsupported, reason: "the driver asks for temporal motion vectors, with which nothing is coded here")
        }
        do throws(ParameterSetError) {
            var sps = try HEVCSPS(
                stream.sequence, blocks: ParameterSets.HEVCBlockSizes(blocks),
                isHighTier: stream.level.isHighTier, level: HEVCLevel(rawValue: stream.level.level * 3))
            sps.format.conformanceWindow = stream.cropping(
                width: sps.format.picWidthInLumaSamples, height: sps.format.picHeightInLumaSamples)
            sps.ampEnabledFlag = tools.asymmetricPartitions != .no
            sps.sampleAdaptiveOffsetEnabledFlag = tools.sampleAdaptiveOffset != .no
            sps.strongIntraSmoothingEnabledFlag = tools.strongIntraSmoothing == .required
            var pps = HEVCPPS()
            pps.signDataHidingEnabledFlag = tools.signDataHiding == .required
            pps.transformSkipEnabledFlag = tools.transformSkip == .required
            pps.quantisation.initQpMinus26 = stream.quantizer - 26
            if stream.changesQuantizers || tools.quantizerDeltas == .required {
                // Down to the smallest block that VDEnc changes quantizers at, in all modes: with trees of 64 it codes
                // damaged pictures at other depths (intel/media-driver #1698, Intel-Media-SDK/MediaSDK #1871).
                pps.quantisation.diffCuQpDeltaDepth = min(sps.blocks.log2DiffMaxMinLumaCodingBlockSize, 3)
            }
            (self.sps, self.pps) = (sps, pps)
            let vps = HEVCVPS(for: sps)
            sets = HEVCParameterSets(vps: vps, sps: sps, pps: pps)
            parameterSets = [try vps.nalUnit(), try sps.nalUnit(), try pps.nalUnit()]
            packedSets = [
                PackedHeader(VAEncPackedHeaderSequence, parameterSet: parameterSets[0]),
                PackedHeader(VAEncPackedHeaderSequence, parameterSet: parameterSets[1]),
                PackedHeader(VAEncPackedHeaderPicture, parameterSet: parameterSets[2]),
            ]
        } catch {
            throw EncoderError(.invalidValue, reason: "\(error)")
        }
    }

    var codedWidth: Int { sps.format.picWidthInLumaSamples }
    var codedHeight: Int { sps.format.picHeightInLumaSamples }

    /// Tree blocks in a picture.
    var treeBlockCount: Int {
        let side = 1 << sps.blocks.ctbLog2Size
        return (codedWidth + side - 1) / side * ((codedHeight + side - 1) / side)
    }

    /// Describes a picture's slice, in place: the header is large, and is copied where it is returned.
    func describe(_ plan: PicturePlan, in header: inout HEVCSliceHeader) {
        header.kind = plan.kind == .idr ? .i : plan.list1.isEmpty ? .p : .b
        header.saoLumaFlag = sps.sampleAdaptiveOffsetEnabledFlag
        header.saoChromaFlag = sps.sampleAdaptiveOffsetEnabledFlag
        header.qpDelta = plan.quantizer - 26 - pps.quantisation.initQpMinus26
        guard plan.kind != .idr else { return }
        header.references = HEVCSliceReferences()
        header.references?.picOrderCntLsb = plan.displayIndex & ((1 << (sps.log2MaxPicOrderCntLsbMinus4 + 4)) - 1)
        header.references?.shortTerm = .own(keptPictures(plan))
        var prediction = HEVCSlicePrediction()
        prediction.numRefIdxL0ActiveMinus1 = plan.list0.count - 1
        prediction.numRefIdxL1ActiveMinus1 = max(plan.list1.count - 1, 0)
        prediction.numRefIdxActiveOverrideFlag =
            prediction.numRefIdxL0ActiveMinus1 != pps.numRefIdxL0DefaultActiveMinus1
            || prediction.numRefIdxL1ActiveMinus1 != pps.numRefIdxL1DefaultActiveMinus1
        header.prediction = prediction
    }

    /// Everything that is kept, as a set of the slice's own (8.3.2).
    private func keptPictures(_ plan: PicturePlan) -> HEVCShortTermRefPicSet {
        var set = HEVCShortTermRefPicSet()
        for reference in plan.kept {
            let entry = HEVCShortTermRefPicSet.Picture(
                deltaPOC: reference.displayIndex - plan.displayIndex, isUsedByCurrentPicture: plan.uses(reference))
            if entry.deltaPOC < 0 { set.before.append(entry) } else { set.after.insert(entry, at: 0) }
        }
        return set
    }

    func nalUnitHeader(_ plan: PicturePlan) -> HEVCNALUnitHeader {
        HEVCNALUnitHeader(type: plan.kind == .idr ? .idrWRADL : plan.isReference ? .trailR : .trailN)
    }
}

extension ParameterSets.HEVCBlockSizes {
    /// The largest tree blocks and the smallest of all others that a driver offers.
    fileprivate init(_ limits: HEVCBlockLimits) {
        self.init()
        log2MinLumaCodingBlockSizeMinus3 = limits.minCoding - 3
        log2DiffMaxMinLumaCodingBlockSize = limits.codingTree.upperBound - limits.minCoding
        log2MinLumaTransformBlockSizeMinus2 = limits.transform.lowerBound - 2
        log2DiffMaxMinLumaTransformBlockSize = limits.transform.count - 1
        maxTransformHierarchyDepthInter = limits.maxInterDepth
        maxTransformHierarchyDepthIntra = limits.maxIntraDepth
    }
}
