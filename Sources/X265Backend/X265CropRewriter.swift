// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

/// Widens the conformance window in libx265's SPS, for pictures smaller than it can code.
///
/// libx265 signals the padding it adds itself and nothing else: `confWinRightOffset` makes it pad further. So what was
/// padded up to the smallest side it takes has to be cropped by editing the SPS, which is done once per stream.
struct X265CropRewriter: ~Copyable {
    private let right: Int
    private let bottom: Int
    private var original: [UInt8] = []
    // Handed out as a NAL unit, so its address must stay; owned.
    private var rewritten = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// Crops luma samples besides those libx265 crops.
    ///
    /// - Parameters:
    ///   - right: Luma samples, even.
    ///   - bottom: Luma rows, even.
    init(right: Int, bottom: Int) {
        self.right = right
        self.bottom = bottom
    }

    deinit { rewritten.deallocate() }

    /// The SPS with the wider window, valid until another SPS is given or this value ends.
    ///
    /// - Throws: ``EncoderError`` with `.backendFailure` for an SPS that cannot be read or has no room for the crop.
    mutating func rewrite(_ sps: UnsafeRawBufferPointer) throws(EncoderError) -> UnsafeRawBufferPointer {
        if !sps.elementsEqual(original) {
            let bytes = try Self.widened(Array(sps), right: right, bottom: bottom)
            original = Array(sps)
            rewritten.deallocate()
            rewritten = .allocate(byteCount: bytes.count, alignment: 1)
            rewritten.copyBytes(from: bytes)
        }
        return UnsafeRawBufferPointer(rewritten)
    }

    /// An SPS, header and emulation prevention included, whose window leaves out more at the right and the bottom.
    static func widened(_ sps: [UInt8], right: Int, bottom: Int) throws(EncoderError) -> [UInt8] {
        do throws(ParameterSetError) {
            var set = try HEVCSPS(nalUnit: sps)
            var window = set.format.conformanceWindow ?? CroppingWindow()
            window.right += right / set.chromaFormat.subWidth
            window.bottom += bottom / set.chromaFormat.subHeight
            set.format.conformanceWindow = window
            return try set.nalUnit(header: HEVCNALUnitHeader(nalUnit: sps))
        } catch {
            throw EncoderError(.backendFailure, reason: "libx265 wrote an SPS that cannot be cropped (\(error))")
        }
    }
}
