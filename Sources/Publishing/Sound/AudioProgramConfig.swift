// SPDX-License-Identifier: MIT

public import BitSyntax

/// `program_config_element()`: which channels there are, where no configuration by number has them (ISO/IEC 14496-3,
/// 4.4.1.1).
public struct AudioProgramConfig: SyntaxStructure {
    /// An element of one channel, or of two.
    public struct Element: SyntaxStructure {
        /// Whether the element has two channels; of a coupling channel, whether it is switched independently.
        public var flag = false
        /// Which element of its kind, 0...15.
        public var tag = 0

        /// One channel.
        public init() {}

        /// Codes the fields under the names that begin with the context.
        public mutating func code(with coder: inout some SyntaxCoder, in name: StaticString) throws(SyntaxError) {
            try coder.flag("\(name)_element_is_cpe", &flag)
            try coder.u("\(name)_element_tag_select", &tag, 4)
        }
    }

    /// `element_instance_tag`, 0...15.
    public var tag = 0
    /// `object_type`, 0...3: 1 for AAC-LC.
    public var objectType = 1
    /// `sampling_frequency_index`, 0...15.
    public var samplingFrequencyIndex = 3
    /// Elements before the listener.
    public var front: [Element] = []
    /// Elements beside the listener.
    public var side: [Element] = []
    /// Elements behind the listener.
    public var back: [Element] = []
    /// `lfe_element_tag_select` of channels of low frequencies, each 0...15.
    public var lowFrequency: [Int] = []
    /// `assoc_data_element_tag_select`, each 0...15.
    public var associatedData: [Int] = []
    /// Coupling channels.
    public var coupling: [Element] = []
    /// `mono_mixdown_element_number`, 0...15; nil without one.
    public var monoMixdown: Int?
    /// `stereo_mixdown_element_number`, 0...15; nil without one.
    public var stereoMixdown: Int?
    /// `matrix_mixdown_idx` and `pseudo_surround_enable`, 0...7; nil without them.
    public var matrixMixdown: Int?
    /// `comment_field_data`, 0 to 255 bytes.
    public var comment: [UInt8] = []

    /// No channels.
    public init() {}

    /// Channels that a decoder gives.
    public var channelCount: Int {
        (front + side + back).reduce(lowFrequency.count) { $0 + ($1.flag ? 2 : 1) }
    }

    /// Codes all fields; the comment starts on a byte, counted from the start of the data.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        try coder.u("element_instance_tag", &tag, 4)
        try coder.u("object_type", &objectType, 2)
        try coder.u("sampling_frequency_index", &samplingFrequencyIndex, 4)
        try Self.count("num_front_channel_elements", &front, Element(), 4, &coder)
        try Self.count("num_side_channel_elements", &side, Element(), 4, &coder)
        try Self.count("num_back_channel_elements", &back, Element(), 4, &coder)
        try Self.count("num_lfe_channel_elements", &lowFrequency, 0, 2, &coder)
        try Self.count("num_assoc_data_elements", &associatedData, 0, 3, &coder)
        try Self.count("num_valid_cc_elements", &coupling, Element(), 4, &coder)
        try coder.u(flag: "mono_mixdown_present", "mono_mixdown_element_number", &monoMixdown, 4)
        try coder.u(flag: "stereo_mixdown_present", "stereo_mixdown_element_number", &stereoMixdown, 4)
        try coder.u(flag: "matrix_mixdown_idx_present", "matrix_mixdown_idx", &matrixMixdown, 3)
        for index in front.indices { try front[index].code(with: &coder, in: "front") }
        for index in side.indices { try side[index].code(with: &coder, in: "side") }
        for index in back.indices { try back[index].code(with: &coder, in: "back") }
        for index in lowFrequency.indices { try coder.u("lfe_element_tag_select", &lowFrequency[index], 4, at: index) }
        for index in associatedData.indices {
            try coder.u("assoc_data_element_tag_select", &associatedData[index], 4, at: index)
        }
        for index in coupling.indices { try coupling[index].code(with: &coder, in: "cc") }
        try coder.zerosToByte("byte_alignment")
        var count = comment.count
        try coder.u("comment_field_bytes", &count, 8)
        try coder.bytes("comment_field_data", &comment, count: count)
    }

    /// Codes how many elements an array has; reading makes it that long.
    private static func count<Value>(
        _ name: SyntaxName, _ array: inout [Value], _ initial: Value, _ bits: Int, _ coder: inout some SyntaxCoder
    ) throws(SyntaxError) {
        var count = array.count
        try coder.u(name, &count, bits)
        if coder.isReading { array = Array(repeating: initial, count: count) }
    }
}
