// SPDX-License-Identifier: MIT

import EncoderAPI

/// The parameters in the first line of a YUV4MPEG2 file (yuv4mpeg(5) of mjpegtools).
struct Y4MHeader: Sendable, Hashable {
    /// What every file starts with.
    static let magic = Array("YUV4MPEG2 ".utf8)
    /// The longest first line accepted, in bytes.
    static let longestLine = 4096

    var width = 0
    var height = 0
    /// Nil where the file says that it is not known, and where it says nothing.
    var frameRate: FrameRate?
    var pixelAspectRatio: PixelAspectRatio?
    var format = PixelFormat.i420
    /// chroma_sample_loc_type; nil where the file does not say.
    var chromaSampleLocation: Int?
    var isFullRange: Bool?

    /// Reads the line that starts a file.
    ///
    /// - Parameters:
    ///   - line: Without its line feed.
    ///   - path: Named in errors.
    /// - Throws: ``MediaFileError`` with `.corrupt` or `.unsupported`, and the parameter's byte offset.
    init(parsing line: [UInt8], path: String? = nil) throws(MediaFileError) {
        guard line.starts(with: Self.magic) else {
            throw MediaFileError(.corrupt, reason: "does not start with YUV4MPEG2", path: path, byteOffset: 0)
        }
        var chroma: (name: String, offset: Int)?
        var alternativeChroma: (name: String, offset: Int)?
        for field in line[Self.magic.count...].split(separator: UInt8(ascii: " ")) {
            let parameter = Parameter(field, path: path)
            switch parameter.tag {
            case "W": width = try parameter.side()
            case "H": height = try parameter.side()
            case "F": frameRate = try parameter.frameRate()
            case "A": pixelAspectRatio = try parameter.aspectRatio()
            case "I": try parameter.checkProgressive()
            case "C": chroma = (parameter.value, field.startIndex)
            case "X" where parameter.value.hasPrefix("YSCSS="):
                alternativeChroma = (parameter.value.dropFirst(6).lowercased(), field.startIndex)
            case "X" where parameter.value.hasPrefix("COLORRANGE="):
                isFullRange = parameter.value.hasSuffix("=FULL")
            default: break  // Other extensions and comments do not change how the samples lie.
            }
        }
        for (name, side) in [("width (W)", width), ("height (H)", height)] where side == 0 {
            throw MediaFileError(
                .corrupt, reason: "the header does not give the \(name)", path: path, byteOffset: Int64(line.count))
        }
        if let chroma = chroma ?? alternativeChroma {
            try setChroma(chroma.name, offset: chroma.offset, path: path)
        }
    }

    /// How 4:2:0 files name their samples: format, and chroma_sample_loc_type where it is known.
    private static let chromaFormats: [String: (format: PixelFormat, location: Int?)] = [
        "420": (.i420, nil), "420jpeg": (.i420, 1), "420mpeg2": (.i420, 0), "420paldv": (.i420, 2),
        "420p10": (.i010, nil), "420p12": (.i012, nil),
    ]

    /// Whether the line that starts a file names chroma that is not 4:2:0, which libavformat reads.
    static func hasForeignChroma(_ start: some Collection<UInt8>) -> Bool {
        let fields = start.prefix { $0 != 0x0A }.split(separator: UInt8(ascii: " "))
        guard let chroma = fields.last(where: { $0.first == UInt8(ascii: "C") }) else { return false }
        let name = String(decoding: chroma.dropFirst(), as: UTF8.self)
        return ["411", "422", "444", "mono"].contains { name.hasPrefix($0) }
    }

    private mutating func setChroma(_ name: String, offset: Int, path: String?) throws(MediaFileError) {
        guard let chroma = Self.chromaFormats[name] else {
            throw MediaFileError(
                .unsupported,
                reason: "chroma format C\(name), expected C420, C420jpeg, C420mpeg2, C420paldv, C420p10 or C420p12",
                path: path, byteOffset: Int64(offset))
        }
        (format, chromaSampleLocation) = (chroma.format, chroma.location)
    }
}

extension Y4MHeader {
    /// One letter and what follows it.
    struct Parameter {
        let tag: Character
        let value: String
        let path: String?
        let offset: Int64

        /// Takes a field apart that is not empty.
        init(_ field: ArraySlice<UInt8>, path: String?) {
            tag = field.first.map { Character(UnicodeScalar($0)) } ?? " "
            value = String(decoding: field.dropFirst(), as: UTF8.self)
            self.path = path
            offset = Int64(field.startIndex)
        }

        func error(_ code: MediaFileError.Code, expected: String) -> MediaFileError {
            MediaFileError(
                code, reason: "header parameter \(tag)\(value.prefix(40)), expected \(expected)", path: path,
                byteOffset: offset)
        }

        /// Up to nine decimal digits.
        private func number(_ digits: Substring) -> Int? {
            guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return Int(digits)
        }

        func side() throws(MediaFileError) -> Int {
            guard let side = number(value[...]), (1...65535).contains(side) else {
                throw error(.corrupt, expected: "1...65535 samples")
            }
            return side
        }

        /// Two numbers in lowest terms; 0:0 stays.
        private func ratio() -> (Int, Int)? {
            let parts = value.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let first = number(parts[0]), let second = number(parts[1]) else { return nil }
            var (a, b) = (first, second)
            while b != 0 { (a, b) = (b, a % b) }
            return a == 0 ? (0, 0) : (first / a, second / a)
        }

        func frameRate() throws(MediaFileError) -> FrameRate? {
            guard let (numerator, denominator) = ratio(), (numerator == 0) == (denominator == 0) else {
                throw error(.corrupt, expected: "two positive numbers such as 30000:1001, or 0:0 for unknown")
            }
            return numerator == 0 ? nil : FrameRate(numerator: numerator, denominator: denominator)
        }

        func aspectRatio() throws(MediaFileError) -> PixelAspectRatio? {
            guard let (width, height) = ratio(), (width == 0) == (height == 0), max(width, height) <= 65535 else {
                throw error(.corrupt, expected: "two numbers of 1...65535 such as 128:117, or 0:0 for unknown")
            }
            return width == 0 ? nil : PixelAspectRatio(horizontalSpacing: width, verticalSpacing: height)
        }

        func checkProgressive() throws(MediaFileError) {
            switch value {
            case "p", "?": return
            case "t", "b", "m": throw error(.unsupported, expected: "Ip: interlaced video is not supported")
            default: throw error(.corrupt, expected: "Ip, It, Ib, Im or I?")
            }
        }
    }
}
