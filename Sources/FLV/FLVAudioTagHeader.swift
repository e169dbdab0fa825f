// SPDX-License-Identifier: MIT

package import BitSyntax

/// What the data of an audio tag starts with (Adobe Flash Video File Format Specification 10.1, annex E.4.2.1).
package struct FLVAudioTagHeader: SyntaxStructure {
    /// `SoundFormat`, 0...15; see ``codecName``.
    package var soundFormat = 10
    /// `SoundRate`, 0...3: 5.5, 11, 22 or 44 kHz; 3 for AAC.
    package var soundRate = 3
    /// `SoundSize`: 16 bits per sample, otherwise 8.
    package var has16Bits = true
    /// `SoundType`: stereo.
    package var isStereo = true
    /// `AACPacketType`: 0 sequence header, 1 data; nil for other formats.
    package var packetType: Int?

    /// AAC.
    package init() {}

    /// The codec's name; 9 says that a FourCC follows (Enhanced RTMP 2).
    package var codecName: String {
        let names = [
            0: "PCM", 1: "ADPCM", 2: "MP3", 3: "PCM, little endian", 4: "Nellymoser 16 kHz", 5: "Nellymoser 8 kHz",
            6: "Nellymoser", 7: "G.711 A-law", 8: "G.711 mu-law", 9: "enhanced audio", 10: "AAC", 11: "Speex",
            14: "MP3 8 kHz", 15: "device specific",
        ]
        return names[soundFormat] ?? "sound format \(soundFormat)"
    }

    /// Codes one byte, for AAC two.
    package mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        try coder.u("SoundFormat", &soundFormat, 4)
        try coder.u("SoundRate", &soundRate, 2)
        try coder.flag("SoundSize", &has16Bits)
        try coder.flag("SoundType", &isStereo)
        try coder.u("AACPacketType", &packetType, 8, when: soundFormat == 10)
    }
}
