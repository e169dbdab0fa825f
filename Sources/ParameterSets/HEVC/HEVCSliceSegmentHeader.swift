// SPDX-License-Identifier: MIT

/// `slice_segment_header()` (7.3.6.1, 7.4.7.1).
///
/// Slice segments of higher layers need what the video parameter set's extension tells; they are refused as
/// `.unsupported`.
public struct HEVCSliceSegmentHeader: SyntaxStructure {
    /// The NAL unit's header, and the parameter sets of the stream up to the unit.
    public typealias Context = UnitContext<HEVCNALUnitHeader, HEVCParameterSets>

    /// `first_slice_segment_in_pic_flag`.
    public var firstSliceSegmentInPicFlag = true
    /// `no_output_of_prior_pics_flag`; coded for IRAP pictures only.
    public var noOutputOfPriorPicsFlag = false
    /// `slice_pic_parameter_set_id`, 0...63.
    public var ppsID = 0
    /// `slice_segment_address`: the first coding tree block, in raster order, below the number of blocks; 0 for the
    /// first segment.
    public var sliceSegmentAddress = 0
    /// What holds for the whole slice; nil in a dependent segment (`dependent_slice_segment_flag` 1), for which the
    /// values of the segment before hold.
    public var slice: HEVCSliceHeader? = HEVCSliceHeader()
    /// `offset_len_minus1`, 0...31; 0 without entry points.
    public var offsetLenMinus1 = 0
    /// `entry_point_offset_minus1`, in bytes: the lengths of all parts but the last, less 1, of ``offsetLenMinus1`` + 1
    /// bits each; tiles and rows of blocks limit how many there are.
    public var entryPointOffsetsMinus1: [Int] = []
    /// `slice_segment_header_extension_data_byte`, at most 256; nil where the picture parameter set has no extension.
    public var extensionBytes: [UInt8]?

    /// The first segment of an I picture.
    public init() {}

    /// Codes the header and `byte_alignment()`.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try code(with: &coder, header: context.header) { (id, position) throws(ParameterSetError) in
            try context.parameterSets.ofSlice(id, by: "slice_pic_parameter_set_id", at: position)
        }
    }

    /// Writes the header for an application that has the sets at hand, whose ids are the header's.
    package mutating func write(
        with writer: inout SyntaxWriter, header: HEVCNALUnitHeader, in sets: HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        try code(with: &writer, header: header) { _, _ in sets }
    }

    private mutating func code(
        with coder: inout some SyntaxCoder, header: HEVCNALUnitHeader,
        _ find: (_ ppsID: Int, _ position: Int) throws(ParameterSetError) -> HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        try coder.flag("first_slice_segment_in_pic_flag", &firstSliceSegmentInPicFlag)
        try coder.flag("no_output_of_prior_pics_flag", &noOutputOfPriorPicsFlag, when: header.type.isIRAP, else: false)
        let idPosition = coder.bitPosition
        guard header.layerID == 0 else {
            throw coder.failure(
                .unsupported, "slice_pic_parameter_set_id",
                "a slice segment of layer \(header.layerID) needs the video parameter set's extension")
        }
        try coder.ue("slice_pic_parameter_set_id", &ppsID, 0...63)
        let sets = try find(ppsID, idPosition)
        try codeAddress(with: &coder, sets)
        try slice?.code(with: &coder, in: .init(unitType: header.type, parameterSets: sets))
        try codeEntryPoints(with: &coder, sets)
        try coder.place(
            "slice_segment_header_extension_length", &extensionBytes, [],
            when: sets.pps.sliceSegmentHeaderExtensionPresentFlag)
        try extensionBytes?.codeExtension(with: &coder)
        try coder.fixed("alignment_bit_equal_to_one", 1, 1)
        try coder.zerosToByte("alignment_bit_equal_to_zero")
    }

    private mutating func codeAddress(
        with coder: inout some SyntaxCoder, _ sets: HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        var isDependent = !slice.isPresent
        try coder.flag(
            "dependent_slice_segment_flag", &isDependent,
            when: !firstSliceSegmentInPicFlag && sets.pps.dependentSliceSegmentsEnabledFlag, else: false)
        if coder.isReading {
            slice = isDependent ? nil : HEVCSliceHeader()
        }
        let blocks = sets.sps.picWidthInCtbs * sets.sps.picHeightInCtbs
        try coder.u(
            "slice_segment_address", &sliceSegmentAddress, ceilLog2(blocks), 0...blocks - 1,
            when: !firstSliceSegmentInPicFlag, else: 0)
    }

    private mutating func codeEntryPoints(
        with coder: inout some SyntaxCoder, _ sets: HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        let rows = sets.sps.picHeightInCtbs
        let most: Int? =
            switch (sets.pps.tiles, sets.pps.entropyCodingSyncEnabledFlag) {
            case (nil, false): nil
            case (nil, true): rows - 1
            case (let tiles?, false): tiles.count - 1
            case (let tiles?, true): (tiles.numTileColumnsMinus1 + 1) * rows - 1
            }
        var count = entryPointOffsetsMinus1.count
        // The picture has no more parts than blocks, whatever its picture parameter set says.
        let largest = min(most ?? 0, sets.sps.picWidthInCtbs * rows)
        try coder.ue("num_entry_point_offsets", &count, 0...largest, when: most != nil, else: 0)
        try coder.checkRoom("num_entry_point_offsets", count: count, bits: 1)
        try coder.expect("num_entry_point_offsets", &entryPointOffsetsMinus1, count: count, repeating: 0)
        try coder.ue("offset_len_minus1", &offsetLenMinus1, 0...31, when: count > 0, else: 0)
        for i in entryPointOffsetsMinus1.indices {
            try coder.u("entry_point_offset_minus1", &entryPointOffsetsMinus1[i], offsetLenMinus1 + 1, at: i)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func codeExtension(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.count("slice_segment_header_extension_length", &self, 0...256, repeating: 0)
        for i in indices {
            var byte = Int(self[i])
            try coder.u("slice_segment_header_extension_data_byte", &byte, 8, at: i)
            self[i] = UInt8(byte)
        }
    }
}
