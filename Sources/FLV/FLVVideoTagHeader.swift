// SPDX-License-Identifier: MIT

package import EncoderAPI
package import BitSyntax

/// What the data of a video tag starts with.
///
/// Adobe Flash Video File Format Specification 10.1, annex E.4.3.1, with `CodecID` 12 for HEVC as players in use have
/// it; and the extended header of Enhanced RTMP 2, which names codecs by FourCC.
package struct FLVVideoTagHeader: SyntaxStructure {
    /// What follows the header of a tag of AVC or HEVC.
    package enum PacketType: Int, Sendable {
        case sequenceHeader = 0
        case nalUnits = 1
        case endOfSequence = 2
        /// NAL units that are shown when they are decoded.
        case nalUnitsWithoutOffset = 3
        case metadata = 4
        case mpeg2TSSequenceStart = 5
        case multitrack = 6
        case modifier = 7
    }

    /// `isExVideoHeader`: the extended header.
    package var isExtended = false
    /// `FrameType` or `videoFrameType`, 0...7: 1 key, 2 inter, 3 disposable inter, 4 generated key, 5 command.
    package var frameType = 1
    /// `CodecID`, 0...15; nil in the extended header.
    package var codecID: Int?
    /// `AVCPacketType` or `videoPacketType`; nil for codecs that have none.
    package var packetTypeCode: Int?
    /// `videoFourCc`, most significant byte first; nil without one.
    package var fourCC: Int?
    /// `CompositionTime` or `compositionTimeOffset`, in milliseconds from decoding to showing; nil where there is none.
    package var compositionTime: Int?
    /// `videoCommand`: 0 start of seek, 1 end; nil without one.
    package var command: Int?

    /// Nothing of any codec.
    package init() {}

    /// The header of a tag of H.264, or the extended one of a tag of HEVC.
    package init(_ codec: VideoCodec, _ type: PacketType) {
        packetTypeCode = type.rawValue
        switch codec {
        case .h264:
            (codecID, compositionTime) = (7, 0)
        case .hevc:
            (isExtended, fourCC) = (true, Self.hvc1)
            compositionTime = type == .nalUnits ? 0 : nil
        }
    }

    /// The codec; nil for one that no session produces, or that the header does not tell.
    package var codec: VideoCodec? {
        switch (codecID, fourCC) {
        case (7, _), (_, Self.avc1): .h264
        case (12, _), (_, Self.hvc1): .hevc
        default: nil
        }
    }

    /// The codec's name, or its number.
    package var codecName: String {
        if let codecID {
            let names = [
                2: "Sorenson H.263", 3: "Screen Video", 4: "VP6", 5: "VP6 with alpha", 6: "Screen Video 2", 7: "AVC",
                12: "HEVC",
            ]
            return names[codecID] ?? "codec \(codecID)"
        }
        guard let fourCC else { return "unnamed codec" }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: fourCC >> (24 - 8 * $0)) }
        let name = bytes.allSatisfy { (0x20...0x7E).contains($0) } ? String(decoding: bytes, as: UTF8.self) : nil
        return codec == .h264 ? "AVC" : codec == .hevc ? "HEVC" : name ?? "FourCC \(fourCC)"
    }

    /// The kind of frame in words.
    package var frameName: String {
        let names = [1: "key", 2: "inter", 3: "disposable inter", 4: "generated key", 5: "command"]
        return names[frameType] ?? "frame type \(frameType)"
    }

    /// What follows; nil for other codecs, commands, and code points that the specifications do not have.
    package var packetType: PacketType? {
        guard frameType != Self.commandFrame || packetTypeCode == PacketType.metadata.rawValue else { return nil }
        return packetTypeCode.flatMap(PacketType.init)
    }

    /// Codes the header up to the codec's data.
    package mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        if coder.isReading {
            self = Self()
            isExtended = coder.nextBits(1) == 1
        }
        try isExtended ? codeExtended(with: &coder) : codePlain(with: &coder)
    }

    private mutating func codePlain(with coder: inout some SyntaxCoder) throws(SyntaxError) {
        try coder.u("FrameType", &frameType, 4, 0...7)
        try coder.u("CodecID", &codecID, 4, when: true)
        try coder.u("AVCPacketType", &packetTypeCode, 8, when: codec != nil)
        try coder.i("CompositionTime", &compositionTime, 24, when: codec != nil)
    }

    private mutating func codeExtended(with coder: inout some SyntaxCoder) throws(SyntaxError) {
        try coder.flag("isExVideoHeader", &isExtended)
        try coder.u("videoFrameType", &frameType, 3)
        try coder.u("videoPacketType", &packetTypeCode, 4, when: true)
        let isCommand = frameType == Self.commandFrame && packetType != .metadata
        try coder.u("videoCommand", &command, 8, when: isCommand)
        let hasFourCC = !isCommand && packetType != .multitrack && packetType != .modifier
        try coder.u("videoFourCc", &fourCC, 32, when: hasFourCC)
        try coder.i(
            "compositionTimeOffset", &compositionTime, 24, when: hasFourCC && packetType == .nalUnits && codec != nil)
    }

    /// ``frameType`` of a tag that holds a command and no picture.
    package static let commandFrame = 5
    private static let avc1 = 0x6176_6331
    /// The FourCC of HEVC, which `videocodecid` of a stream's metadata is too.
    package static let hvc1 = 0x6876_6331
}
