// SPDX-License-Identifier: MIT

import BitSyntax

/// AAC with a header before each packet (ISO/IEC 14496-3, 1.A.3.2), as bare files hold it.
package enum ADTS {
    /// The header's fields that differ between streams and packets.
    struct Header: SyntaxStructure {
        /// `profile_ObjectType`: the audio object type less 1.
        var profile = 1
        /// `sampling_frequency_index`, 0...12.
        var frequencyIndex = 0
        /// `channel_configuration`, 1...7: as many channels, but 8 for 7.
        var channelConfiguration = 1
        /// `aac_frame_length`: bytes of the packet with this header.
        var frameLength = 7

        /// Bytes of the header.
        static let byteCount = 7

        mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
            try coder.fixed("syncword", 0xFFF, 12)
            // MPEG-4, layer 0, no check sum.
            try coder.fixed("ID, layer, protection_absent", 0b0001, 4)
            try coder.u("profile_ObjectType", &profile, 2)
            try coder.u("sampling_frequency_index", &frequencyIndex, 4, 0...12)
            try coder.fixed("private_bit", 0, 1)
            try coder.u("channel_configuration", &channelConfiguration, 3, 1...7)
            try coder.fixed("original_copy, home, copyright", 0, 4)
            try coder.u("aac_frame_length", &frameLength, 13, Self.byteCount...8191)
            try coder.fixed("adts_buffer_fullness", 0x7FF, 11)
            try coder.fixed("number_of_raw_data_blocks_in_frame", 0, 2)
        }
    }

    /// A packet with its header.
    ///
    /// - Throws: ``PublishingError`` with `.unsupported` for sound that the header cannot describe.
    static func packet(_ data: [UInt8], _ format: AudioFormat) throws(PublishingError) -> [UInt8] {
        guard let header = header(for: data, format) else {
            throw PublishingError(
                .unsupported,
                reason:
                    "\(format) in packets of \(data.count) bytes with ADTS headers, expected AAC of 1 to 6 or 8 "
                    + "channels at one of 13 rates, in packets of 8184 bytes at most")
        }
        return header + data
    }

    /// Audio object type, rate and channels stand in the first two bytes of an AudioSpecificConfig.
    private static func header(for data: [UInt8], _ format: AudioFormat) -> [UInt8]? {
        guard format.configuration.count >= 2 else { return nil }
        let word = Int(format.configuration[0]) << 8 | Int(format.configuration[1])
        var header = Header()
        header.profile = (word >> 11) - 1
        header.frequencyIndex = (word >> 7) & 15
        header.channelConfiguration = (word >> 3) & 15
        header.frameLength = Header.byteCount + data.count
        guard (0...3).contains(header.profile) else { return nil }
        var writer = SyntaxWriter()
        guard (try? header.code(with: &writer, in: ())) != nil else { return nil }
        return writer.bytes
    }
}
