// SPDX-License-Identifier: MIT

import MediaIO

/// What comes before the samples of a WAV file, or of one of its forms for more than 4 GiB (RF64, BW64): chunks, each
/// behind its name and its size.
struct WAVHeader {
    /// How the samples are stored.
    private(set) var format: PCMFormat
    /// Bytes of samples; nil where the writer did not know, as into a pipe.
    private(set) var dataSize: Int?

    /// Reads up to the first sample.
    init(_ file: InputFile) throws(PublishingError) {
        let start = try Self.bytes(12, of: file)
        guard ["RIFF", "RF64", "BW64"].contains(Self.name(start, 0)), Self.name(start, 8) == "WAVE" else {
            throw PublishingError(
                .corrupt, reason: "\(file.path): no WAV file, which begins with RIFF, RF64 or BW64, and WAVE")
        }
        var found: PCMFormat?
        var largeSize: Int?
        while true {
            let chunk = try Self.bytes(8, of: file)
            let (name, size) = (Self.name(chunk, 0), Self.number(chunk, 4, 4))
            if name == "data" {
                guard let found else {
                    throw PublishingError(.corrupt, reason: "\(file.path): samples without a format before them")
                }
                format = found
                // Writers into a pipe leave the largest number, or none.
                dataSize = size == 0xFFFF_FFFF ? largeSize : size == 0 || size >= 0x7FFF_F000 ? nil : size
                return
            }
            if name == "ds64", size >= 16 {
                // The sizes of all and of the samples (EBU Tech 3306).
                let fields = try Self.bytes(16, of: file)
                largeSize = Self.number(fields, 8, 7)
                guard fields[15] == 0, largeSize ?? 0 > 0 else {
                    throw PublishingError(
                        .corrupt, reason: "\(file.path): its ds64 states no size of the samples, expected 1...2^56 - 1")
                }
                try Self.skip(size - fields.count + size % 2, of: file)
                continue
            }
            if name == "fmt " {
                let fields = try Self.bytes(min(size, 40), of: file)
                found = try Self.format(fields, of: file)
                try Self.skip(size - fields.count + size % 2, of: file)
            } else {
                try Self.skip(size + size % 2, of: file)
            }
        }
    }

    private static func format(_ fields: [UInt8], of file: InputFile) throws(PublishingError) -> PCMFormat {
        guard fields.count >= 16 else {
            throw PublishingError(
                .corrupt, reason: "\(file.path): a format of \(fields.count) bytes, expected 16 or more")
        }
        var tag = number(fields, 0, 2)
        // The extensible format has the tag at the start of its identifier.
        if tag == 0xFFFE, fields.count >= 26 { tag = number(fields, 24, 2) }
        let (bits, frameSize) = (number(fields, 14, 2), number(fields, 12, 2))
        let sample: PCMFormat.Sample? =
            switch (tag, bits) {
            case (1, 8): .unsigned8
            case (1, 16): .signed16
            case (1, 24): .signed24
            case (1, 32): .signed32
            case (3, 32): .float32
            case (3, 64): .float64
            default: nil
            }
        guard let sample else {
            throw PublishingError(
                .unsupported,
                reason: "\(file.path): samples of kind \(tag) with \(bits) bits, expected PCM of 8, 16, 24 or 32 bits "
                    + "(kind 1) or floating point of 32 or 64 (kind 3)")
        }
        let format = PCMFormat(sample: sample, sampleRate: number(fields, 4, 4), channelCount: number(fields, 2, 2))
        try format.check(path: file.path)
        guard frameSize == format.frameByteCount else {
            throw PublishingError(
                .corrupt,
                reason: "\(file.path): sample frames of \(frameSize) bytes, expected \(format.frameByteCount)")
        }
        return format
    }

    private static func bytes(_ count: Int, of file: InputFile) throws(PublishingError) -> [UInt8] {
        let bytes = try file.bytes(count)
        guard bytes.count == count else {
            throw PublishingError(.corrupt, reason: "\(file.path): the file ends inside its header")
        }
        return bytes
    }

    /// Reads over a chunk in steps: the file need not have what is stated.
    private static func skip(_ count: Int, of file: InputFile) throws(PublishingError) {
        var rest = count
        while rest > 0 {
            let step = min(rest, 1 << 16)
            _ = try bytes(step, of: file)
            rest -= step
        }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private static func name(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }
}
