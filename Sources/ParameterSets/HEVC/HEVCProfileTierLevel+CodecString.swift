// SPDX-License-Identifier: MIT

extension HEVCProfileTierLevel {
    /// The codec's name in MIME types (ISO/IEC 14496-15 annex E), such as `hvc1.1.6.L93.B0`.
    ///
    /// - Parameter sampleEntry: `hvc1`, or `hev1` where parameter sets also travel in the stream.
    /// - Returns: Entry, profile, compatibility flags in reverse bit order, tier and level, and the bytes of constraint
    ///   flags without zeros at the end, with dots between them.
    public func codecString(sampleEntry: String = "hvc1") -> String {
        CodecString.hevc(sampleEntry, profile, levelIdc)
    }
}
