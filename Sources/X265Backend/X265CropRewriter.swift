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
    /// - Throws: ``EncoderError`` with `.backendFailure` for an SPS that cannot be read.
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
        do throws(BitReader.Failure) {
            return try edited(EmulationPrevention.unescape(sps), right: right, bottom: bottom)
        } catch {
            throw EncoderError(.backendFailure, reason: "libx265 wrote an SPS that ends early (\(error))")
        }
    }

    // 7.3.2.2.1, as far as the conformance window; all after it is copied.
    private static func edited(_ bytes: [UInt8], right: Int, bottom: Int) throws(BitReader.Failure) -> [UInt8] {
        var reader = BitReader(bytes)
        _ = try reader.read(16 + 4)  // nal_unit_header, sps_video_parameter_set_id
        let subLayers = Int(try reader.read(3))  // sps_max_sub_layers_minus1
        _ = try reader.read(1)  // sps_temporal_id_nesting_flag
        try skipProfileTierLevel(&reader, subLayers: subLayers)
        for _ in 0..<4 { _ = try reader.readExpGolomb() }  // id, chroma_format_idc 1, width, height
        let start = reader.position
        var offsets: [UInt64] = [0, 0, 0, 0]  // left, right, top, bottom in chroma samples
        if try reader.read(1) == 1 {
            for index in offsets.indices { offsets[index] = try reader.readExpGolomb() }
        }
        offsets[1] += UInt64(right / 2)
        offsets[3] += UInt64(bottom / 2)

        var writer = BitWriter()
        var prefix = BitReader(bytes)
        try copy(start, from: &prefix, to: &writer)
        writer.write(1, count: 1)
        for offset in offsets { writer.writeExpGolomb(offset) }
        // Up to and with rbsp_stop_one_bit, the last one that is set.
        let trailing = (bytes.last?.trailingZeroBitCount ?? 0) % 8
        try copy(reader.remaining - trailing, from: &reader, to: &writer)
        while !writer.isByteAligned { writer.write(0, count: 1) }
        return EmulationPrevention.escape(writer.bytes)
    }

    // 7.3.3: what the whole stream has, then which sub-layers say more.
    private static func skipProfileTierLevel(_ reader: inout BitReader, subLayers: Int) throws(BitReader.Failure) {
        _ = try reader.read(32)
        _ = try reader.read(64)
        guard subLayers > 0 else { return }
        var bits = 0
        for index in 0..<8 {
            let flags = try reader.read(2)  // reserved from subLayers on
            if index < subLayers { bits += Int(flags >> 1) * 88 + Int(flags & 1) * 8 }
        }
        for _ in 0..<bits { _ = try reader.read(1) }
    }

    private static func copy(
        _ count: Int, from reader: inout BitReader, to writer: inout BitWriter
    ) throws(BitReader.Failure) {
        for _ in 0..<max(count, 0) { writer.write(try reader.read(1), count: 1) }
    }
}
