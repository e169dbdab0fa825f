// SPDX-License-Identifier: MIT

import FLV
import MediaFiles
import ParameterSets

/// The header and the tags of an FLV file, each before the NAL units that it holds.
struct FLVUnits: NALUnitSource {
    let summary: StreamSummary
    private var reader: FLVTagReader<MediaFileError>
    /// Bytes of each length; nil before the first sequence header.
    private var lengthSize: Int?
    private var tagCount = 0
    private var previousTagSize: Int?

    /// Looks for the first video tag, then starts with the header.
    ///
    /// - Throws: ``MediaFileError`` with `.readFailed`.
    init(_ file: InputFile) throws(MediaFileError) {
        let video = try FLVVideoTagHeader(firstIn: file)
        // Without video nothing depends on the codec.
        summary = StreamSummary(
            path: file.path, format: "FLV, \(video?.codec.map { "\($0)" } ?? video?.codecName ?? "no video")",
            codec: video?.codec ?? .h264, container: .tags)
        reader = FLVTagReader(file)
    }

    mutating func next() throws(MediaFileError) -> [StreamEntry]? {
        guard let piece = try reader.next() else { return nil }
        switch piece.kind {
        case .header:
            return [.part(Self.header(piece))]
        case .previousTagSize(let expected):
            previousTagSize = piece.bytes.reduce(0) { $0 << 8 | Int($1) }
            return Self.damage(piece, expected: expected, place(piece.position)).map { [$0] } ?? []
        case .tag:
            defer { tagCount += 1 }
            return tag(piece)
        }
    }

    private func place(_ position: Int) -> UnitPlace { .tag(tagCount, position: position) }

    private static func header(_ piece: FLVPiece) -> InspectedUnit {
        var part = InspectedUnit(place: .tag(nil, position: 0), length: piece.size, typeName: "FLV header")
        var header = FLVHeader()
        part.read(&header, of: piece.bytes)
        part.headerElementCount = part.elements.count
        if part.error == nil, piece.isCutOff {
            part.error = cutOff("DataOffset", bitOffset: 40, piece, stated: piece.statedSize, available: piece.size)
        }
        return part
    }

    /// What is wrong with a tag's size behind the tag; nil when nothing is.
    private static func damage(_ piece: FLVPiece, expected: Int, _ place: UnitPlace) -> StreamEntry? {
        let stated = piece.bytes.reduce(0) { $0 << 8 | Int($1) }
        guard piece.isCutOff || stated != expected else { return nil }
        let reason =
            piece.isCutOff
            ? "the file ends where the size of the tag before has to be, at byte \(piece.position)"
            : "is \(stated) at byte \(piece.position), expected \(expected) as the tag before has it"
        let error = SyntaxError(
            piece.isCutOff ? .endOfData : .badLength, field: "PreviousTagSize", bitOffset: 0, reason: reason)
        return .part(InspectedUnit(place: place, length: piece.size, typeName: "PreviousTagSize", error: error))
    }

    private static func cutOff(
        _ field: String, bitOffset: Int, _ piece: FLVPiece, stated: Int, available: Int
    ) -> SyntaxError {
        SyntaxError(
            .badLength, field: field, bitOffset: bitOffset,
            reason: "is \(stated) at byte \(piece.position + bitOffset / 8), but the file has \(available) bytes more",
            length: .init(offset: piece.position + bitOffset / 8, claimed: stated, remaining: available))
    }
}

// MARK: - Tags

extension FLVUnits {
    private mutating func tag(_ piece: FLVPiece) -> [StreamEntry] {
        var part = InspectedUnit(place: place(piece.position), length: piece.size, typeName: "tag")
        part.words = previousTagSize.map { [Labelled("PreviousTagSize", String($0))] } ?? []
        var header = FLVTagHeader()
        let start = part.read(&header, of: Array(piece.bytes.prefix(FLVTagHeader.byteCount)))
        var entries: [StreamEntry] = []
        if part.error == nil {
            part.typeName = header.kind.map(Self.name) ?? "tag type \(header.tagType)"
            part.derived.append(Labelled("time_ms", .number(Int(header.milliseconds))))
            switch header.kind {
            case .audio:
                var audio = FLVAudioTagHeader()
                part.read(&audio, of: piece.bytes, from: start)
                if part.error == nil { part.derived.append(Labelled("codec", .text(audio.codecName))) }
            case .video: entries = video(piece, header, from: start, &part)
            case .scriptData: break
            case nil:
                part.error = SyntaxError(
                    .outOfRange, field: "TagType", bitOffset: 3,
                    reason: "is \(header.tagType) at byte \(piece.position), expected 8, 9 or 18")
            }
            if piece.isCutOff {
                part.error = Self.cutOff(
                    "DataSize", bitOffset: 8, piece, stated: header.dataSize, available: piece.size - start)
            }
        }
        return [.part(part)] + entries
    }

    private static func name(_ kind: FLVTagHeader.Kind) -> String {
        switch kind {
        case .audio: "audio tag"
        case .video: "video tag"
        case .scriptData: "script data tag"
        }
    }

    private mutating func video(
        _ piece: FLVPiece, _ header: FLVTagHeader, from start: Int, _ part: inout InspectedUnit
    ) -> [StreamEntry] {
        var video = FLVVideoTagHeader()
        let dataStart = part.read(&video, of: piece.bytes, from: start)
        guard part.error == nil else { return [] }
        part.headerElementCount = part.elements.count
        part.derived += Self.facts(video, header)
        guard video.frameType != FLVVideoTagHeader.commandFrame else { return [] }
        do throws(SyntaxError) {
            return try entries(video, header, Array(piece.bytes[dataStart...]), at: piece.position + dataStart, &part)
        } catch {
            part.error = error
            return []
        }
    }

    private static func facts(_ video: FLVVideoTagHeader, _ header: FLVTagHeader) -> [Labelled<DerivedValue>] {
        var facts: [Labelled<DerivedValue>] = [
            Labelled("frame", .text(video.frameName)), Labelled("codec", .text(video.codecName)),
        ]
        if let type = video.packetType { facts.append(Labelled("packet", .text(type.name))) }
        if let offset = video.compositionTime {
            facts.append(Labelled("presentation_time_ms", .number(Int(header.milliseconds) + offset)))
        }
        return facts
    }

    /// The NAL units of a video tag's data, which starts at a byte of the file.
    private mutating func entries(
        _ video: FLVVideoTagHeader, _ header: FLVTagHeader, _ data: [UInt8], at position: Int,
        _ part: inout InspectedUnit
    ) throws(SyntaxError) -> [StreamEntry] {
        switch video.packetType {
        case .multitrack, .modifier, .mpeg2TSSequenceStart:
            throw Self.unsupported("is \(video.packetTypeCode ?? 0), whose data is not taken apart here")
        case .endOfSequence, .metadata, nil: return []
        case .sequenceHeader, .nalUnits, .nalUnitsWithoutOffset: break
        }
        guard let codec = video.codec else { return [] }
        guard !header.isEncrypted else { throw Self.unsupported("leads to data that is encrypted") }
        guard codec == summary.codec else {
            throw Self.unsupported("leads to \(codec), but the first video tag is \(summary.codec)")
        }
        if video.packetType == .sequenceHeader {
            let record = try ConfigurationRecord(data, codec: codec)
            lengthSize = record.lengthSize
            part.elements += record.elements.map { element in
                var element = element
                element.bitPosition += (position - part.place.position) * 8
                return element
            }
            return record.entries { .tag(tagCount, position: position + $0) }
        }
        guard let lengthSize else {
            throw SyntaxError(
                .missingParameterSet, reason: "NAL units at byte \(position) come before a sequence header")
        }
        let (ranges, error) = LengthPrefixed.scan(data, lengthSize: lengthSize)
        part.derived.append(Labelled("nal_unit_lengths", .numbers(ranges.map(\.count))))
        let units = ranges.map {
            StreamEntry.unit(Array(data[$0]), place(position + $0.lowerBound - lengthSize))
        }
        return units + (error.map { [.damage($0, place(position + ($0.length?.offset ?? 0)))] } ?? [])
    }

    private static func unsupported(_ reason: String) -> SyntaxError {
        SyntaxError(.unsupported, field: "VideoTagHeader", bitOffset: FLVTagHeader.byteCount * 8, reason: reason)
    }
}

extension FLVVideoTagHeader.PacketType {
    /// In words.
    fileprivate var name: String {
        switch self {
        case .sequenceHeader: "sequence header"
        case .nalUnits, .nalUnitsWithoutOffset: "NAL units"
        case .endOfSequence: "end of sequence"
        case .metadata: "metadata"
        case .mpeg2TSSequenceStart: "MPEG-2 TS sequence start"
        case .multitrack: "multitrack"
        case .modifier: "modifier"
        }
    }
}

extension InspectedUnit {
    /// Reads a structure and adds its elements, or what is wrong with it.
    ///
    /// - Returns: The byte after it.
    @discardableResult
    fileprivate mutating func read<Structure: SyntaxStructure>(
        _ structure: inout Structure, of bytes: [UInt8], from start: Int = 0
    ) -> Int where Structure.Context == Void {
        // No structure has more.
        var tracer = SyntaxTracer(bytes.dropFirst(start).prefix(64))
        do throws(SyntaxError) {
            try structure.code(with: &tracer, in: ())
        } catch {
            var error = error
            error.bitOffset = error.bitOffset.map { $0 + start * 8 }
            self.error = error
        }
        elements += tracer.elements.map { element in
            var element = element
            element.bitPosition += start * 8
            return element
        }
        headerElementCount = elements.count
        return start + tracer.bitPosition / 8
    }
}
