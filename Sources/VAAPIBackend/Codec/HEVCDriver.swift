// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import ParameterSets

/// HEVC's headers and structures: slices of whole rows, reference picture sets in the slices, motion vectors predicted
/// from the first picture of list 0 where the driver does that, no weights or tiles.
final class HEVCDriver: CodecDriver {
    let parameterSets: [[UInt8]]
    let packedSets: [PackedHeader]
    let sps: HEVCSPS
    let pps: HEVCPPS
    /// Whether pictures are shown in coding order.
    let isLowDelay: Bool
    let sets: HEVCSliceParameterSets
    let sliceRows: [Range<Int>]
    /// Tree blocks in a row.
    let treeBlocksAcross: Int
    /// As in ``H264Driver``.
    let hasPictureQuantizers: Bool

    /// Makes the parameter sets.
    ///
    /// - Throws: ``EncoderError`` for what no level allows or a field cannot hold.
    init(_ stream: StreamConfiguration) throws(EncoderError) {
        isLowDelay = stream.sequence.reorderFrames == 0
        hasPictureQuantizers = !stream.traits.takesParameterSets
        let (tools, blocks) = (stream.traits.tools, stream.traits.blocks)
        do throws(ParameterSetError) {
            var sps = try HEVCSPS(
                stream.sequence, blocks: ParameterSets.HEVCBlockSizes(blocks),
                isHighTier: stream.level.isHighTier, level: HEVCLevel(rawValue: stream.level.level * 3))
            sps.format.conformanceWindow = stream.cropping(
                width: sps.format.picWidthInLumaSamples, height: sps.format.picHeightInLumaSamples)
            sps.ampEnabledFlag = tools.asymmetricPartitions != .no
            sps.sampleAdaptiveOffsetEnabledFlag = tools.sampleAdaptiveOffset != .no
            sps.temporalMvpEnabledFlag = tools.temporalMotionVectors != .no
            sps.strongIntraSmoothingEnabledFlag = tools.strongIntraSmoothing == .required
            var pps = HEVCPPS()
            pps.signDataHidingEnabledFlag = tools.signDataHiding == .required
            pps.transformSkipEnabledFlag = tools.transformSkip != .no
            pps.quantisation.initQpMinus26 = stream.quantizer - 26
            if tools.quantizerDeltas == .required || (stream.changesQuantizers && tools.quantizerDeltas != .no) {
                // In all modes: with trees of 64 Intel's chips code damaged pictures at other depths than 3, with
                // smaller ones they know 0 alone (intel/media-driver #1698, Intel-Media-SDK/MediaSDK #1871).
                pps.quantisation.diffCuQpDeltaDepth =
                    sps.blocks.ctbLog2Size == 6 ? min(sps.blocks.log2DiffMaxMinLumaCodingBlockSize, 3) : 0
            }
            (self.sps, self.pps) = (sps, pps)
            let vps = HEVCVPS(for: sps)
            sets = HEVCSliceParameterSets(sps: sps, pps: pps)
            parameterSets = [try vps.nalUnit(), try sps.nalUnit(), try pps.nalUnit()]
            packedSets = [
                PackedHeader(VAEncPackedHeaderSequence, parameterSet: parameterSets[0]),
                PackedHeader(VAEncPackedHeaderSequence, parameterSet: parameterSets[1]),
                PackedHeader(VAEncPackedHeaderPicture, parameterSet: parameterSets[2]),
            ]
        } catch {
            throw EncoderError(.invalidValue, reason: "\(error)")
        }
        treeBlocksAcross = sps.treeBlocks(along: sps.format.picWidthInLumaSamples)
        sliceRows = try stream.options.sliceRows(
            sps.treeBlocks(along: sps.format.picHeightInLumaSamples), stream.traits)
    }

    var codedWidth: Int { sps.format.picWidthInLumaSamples }
    var codedHeight: Int { sps.format.picHeightInLumaSamples }

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
        header.references?.temporalMvpEnabledFlag = sps.temporalMvpEnabledFlag
        var prediction = HEVCSlicePrediction()
        if sps.temporalMvpEnabledFlag { prediction.collocated = HEVCSlicePrediction.Collocated() }
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
        set.before.reserveCapacity(plan.kept.count)
        for reference in plan.kept {
            let entry = HEVCShortTermRefPicSet.Picture(
                deltaPOC: reference.displayIndex - plan.displayIndex, isUsedByCurrentPicture: plan.uses(reference))
            // Nearest first, whatever the order of coding.
            if entry.deltaPOC < 0 {
                set.before.insert(entry) { $0.deltaPOC < entry.deltaPOC }
            } else {
                set.after.insert(entry) { $0.deltaPOC > entry.deltaPOC }
            }
        }
        return set
    }

    func delimiter(of plan: PicturePlan) throws(ParameterSetError) -> [UInt8] {
        try HEVCAccessUnitDelimiter(picType: plan.kind == .idr ? 0 : plan.list1.isEmpty ? 1 : 2).nalUnit()
    }

    func nalUnitHeader(_ plan: PicturePlan) -> HEVCNALUnitHeader {
        HEVCNALUnitHeader(type: plan.kind == .idr ? .idrWRADL : plan.isReference ? .trailR : .trailN)
    }
}

extension [HEVCShortTermRefPicSet.Picture] {
    /// Inserts a picture in front of the first one that is `farther`.
    fileprivate mutating func insert(_ picture: Element, before farther: (Element) -> Bool) {
        if let place = firstIndex(where: farther) { insert(picture, at: place) } else { append(picture) }
    }
}

extension HEVCSPS {
    /// Tree blocks along so many samples.
    fileprivate func treeBlocks(along samples: Int) -> Int {
        (samples + (1 << blocks.ctbLog2Size) - 1) >> blocks.ctbLog2Size
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
