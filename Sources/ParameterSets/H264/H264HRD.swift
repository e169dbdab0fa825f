// SPDX-License-Identifier: MIT

/// `hrd_parameters()`: the buffer model of a stream (E.1.2).
public struct H264HRD: SyntaxStructure {
    /// `bit_rate_scale`, 0...15.
    public var bitRateScale = 0
    /// `cpb_size_scale`, 0...15.
    public var cpbSizeScale = 0
    /// The delivery schedules, 1...32.
    public var schedules = [HRDSchedule()]
    /// `initial_cpb_removal_delay_length_minus1`, 0...31, in bits.
    public var initialCpbRemovalDelayLengthMinus1 = 23
    /// `cpb_removal_delay_length_minus1`, 0...31, in bits.
    public var cpbRemovalDelayLengthMinus1 = 23
    /// `dpb_output_delay_length_minus1`, 0...31, in bits.
    public var dpbOutputDelayLengthMinus1 = 23
    /// `time_offset_length`, 0...31, in bits.
    public var timeOffsetLength = 24

    /// One schedule of the smallest rate, lengths as inferred when not coded.
    public init() {}

    /// A structure to read into, without schedules.
    static let unread: Self = {
        var model = Self()
        model.schedules = []
        return model
    }()

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        var count = schedules.count - 1
        try coder.ue("cpb_cnt_minus1", &count, 0...31)
        try coder.u("bit_rate_scale", &bitRateScale, 4)
        try coder.u("cpb_size_scale", &cpbSizeScale, 4)
        try coder.expect("schedules", &schedules, count: count + 1, repeating: HRDSchedule())
        for index in schedules.indices {
            try schedules[index].code(with: &coder, in: .init(index: index))
        }
        try coder.u("initial_cpb_removal_delay_length_minus1", &initialCpbRemovalDelayLengthMinus1, 5)
        try coder.u("cpb_removal_delay_length_minus1", &cpbRemovalDelayLengthMinus1, 5)
        try coder.u("dpb_output_delay_length_minus1", &dpbOutputDelayLengthMinus1, 5)
        try coder.u("time_offset_length", &timeOffsetLength, 5)
    }
}
