// SPDX-License-Identifier: MIT

package import BitSyntax
package import EncoderAPI

/// Makes the bytes of an FLV file, piece by piece, of pictures that are coded to H.264 or HEVC and of AAC.
///
/// H.264 has the headers of Adobe's specification, HEVC those of Enhanced RTMP with the FourCC `hvc1`. Each access unit
/// is one tag.
package struct FLVTagWriter: Sendable {
    private let codec: VideoCodec?
    private let hasAudio: Bool

    /// Names what the file holds.
    ///
    /// - Parameters:
    ///   - codec: Of the pictures; nil for sound alone.
    ///   - hasAudio: Whether there is sound.
    package init(codec: VideoCodec?, hasAudio: Bool) {
        self.codec = codec
        self.hasAudio = hasAudio
    }

    /// The file's header and the size that stands before the first tag.
    package func fileHeader() throws(SyntaxError) -> [UInt8] {
        var header = FLVHeader()
        (header.hasVideo, header.hasAudio) = (codec != nil, hasAudio)
        return try bytes(of: &header) + [0, 0, 0, 0]
    }

    /// A tag of script data.
    ///
    /// - Parameter data: In Action Message Format, as ``FLVMetadata`` makes it.
    /// - Returns: The bytes.
    /// - Throws: ``SyntaxError`` for what the fields cannot hold.
    package func script(_ data: [UInt8]) throws(SyntaxError) -> [UInt8] {
        try tag(.scriptData, at: 0, [], data)
    }

    /// A tag of the pictures' configuration record.
    ///
    /// - Parameters:
    ///   - record: avcC or hvcC.
    ///   - milliseconds: When the first picture of the format is decoded, 0 or more.
    /// - Returns: The bytes.
    /// - Throws: ``SyntaxError`` for what the fields cannot hold.
    package func videoHeader(_ record: [UInt8], at milliseconds: Int32) throws(SyntaxError) -> [UInt8] {
        try video(record, .sequenceHeader, isKey: true, isDisposable: false, at: milliseconds, offset: 0)
    }

    /// A tag of one access unit, its NAL units behind lengths.
    ///
    /// - Parameters:
    ///   - data: The access unit.
    ///   - isKey: Whether decoding can start there.
    ///   - isDisposable: Whether no other picture is predicted from it.
    ///   - milliseconds: When it is decoded, 0 or more.
    ///   - offset: How many milliseconds later it is shown, -2^23 ..< 2^23.
    /// - Returns: The bytes.
    /// - Throws: ``SyntaxError`` for what the fields cannot hold.
    package func picture(
        _ data: [UInt8], isKey: Bool, isDisposable: Bool, at milliseconds: Int32, offset: Int
    ) throws(SyntaxError) -> [UInt8] {
        // HEVC that is shown when it is decoded needs no offset.
        let type: FLVVideoTagHeader.PacketType = codec == .hevc && offset == 0 ? .nalUnitsWithoutOffset : .nalUnits
        return try video(data, type, isKey: isKey, isDisposable: isDisposable, at: milliseconds, offset: offset)
    }

    /// A tag that ends the pictures.
    ///
    /// - Parameter milliseconds: When the last picture has been shown, 0 or more.
    /// - Returns: The bytes.
    /// - Throws: ``SyntaxError`` for what the fields cannot hold.
    package func videoEnd(at milliseconds: Int32) throws(SyntaxError) -> [UInt8] {
        try video([], .endOfSequence, isKey: true, isDisposable: false, at: milliseconds, offset: 0)
    }

    /// A tag of the sound's AudioSpecificConfig.
    package func audioHeader(_ configuration: [UInt8], at milliseconds: Int32) throws(SyntaxError) -> [UInt8] {
        try audio(configuration, packetType: 0, at: milliseconds)
    }

    /// A tag of one packet of AAC.
    package func sound(_ data: [UInt8], at milliseconds: Int32) throws(SyntaxError) -> [UInt8] {
        try audio(data, packetType: 1, at: milliseconds)
    }

    private func audio(_ data: [UInt8], packetType: Int, at milliseconds: Int32) throws(SyntaxError) -> [UInt8] {
        var header = FLVAudioTagHeader()
        header.packetType = packetType
        return try tag(.audio, at: milliseconds, bytes(of: &header), data)
    }

    private func video(
        _ data: [UInt8], _ type: FLVVideoTagHeader.PacketType, isKey: Bool, isDisposable: Bool, at milliseconds: Int32,
        offset: Int
    ) throws(SyntaxError) -> [UInt8] {
        var header = FLVVideoTagHeader(codec ?? .h264, type)
        header.frameType = isKey ? 1 : isDisposable && codec == .h264 ? 3 : 2
        if header.compositionTime != nil { header.compositionTime = offset }
        return try tag(.video, at: milliseconds, bytes(of: &header), data)
    }

    /// A tag and the size behind it.
    private func tag(
        _ kind: FLVTagHeader.Kind, at milliseconds: Int32, _ head: [UInt8], _ data: [UInt8]
    ) throws(SyntaxError) -> [UInt8] {
        var header = FLVTagHeader()
        header.tagType = kind.rawValue
        header.dataSize = head.count + data.count
        header.milliseconds = milliseconds
        var tag: [UInt8] = []
        tag.reserveCapacity(FLVTagHeader.byteCount + header.dataSize + 4)
        tag += try bytes(of: &header)
        tag += head
        tag += data
        let size = tag.count
        for shift in [24, 16, 8, 0] { tag.append(UInt8(truncatingIfNeeded: size >> shift)) }
        return tag
    }

    private func bytes<Structure: SyntaxStructure>(
        of structure: inout Structure
    ) throws(SyntaxError) -> [UInt8] where Structure.Context == Void {
        var writer = SyntaxWriter()
        try structure.code(with: &writer, in: ())
        return writer.bytes
    }
}
