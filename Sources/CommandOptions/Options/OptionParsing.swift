// SPDX-License-Identifier: MIT

package import EncoderAPI

/// How the values of options are read; each throws an ``OptionError`` that names the value and what is legal.
package enum OptionParsing {
    /// Bit rates that can be asked for, in bit/s.
    package static let bitRates = 1000...1_000_000_000
    /// Bytes that a data-rate limit or ceiling can have.
    package static let byteCounts = 1...1_000_000_000_000
    /// Frames per second.
    package static let frameRates = 0.01...1000.0
    /// Frame numbers and counts.
    package static let frames = 0...1_000_000_000

    /// A bit rate such as `800k` or `2.5M`, in bit/s.
    package static func bitRate(_ text: String) throws(OptionError) -> Int {
        try Quantity.parse(text, unit: "bit/s", range: bitRates)
    }

    /// Bit rates separated by commas, each once.
    package static func bitRates(_ text: String) throws(OptionError) -> [Int] { try distinctList(text, of: bitRate) }

    /// A whole number in a range.
    package static func integer(_ text: String, in range: ClosedRange<Int>) throws(OptionError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw OptionError(
                .outOfRange, "'\(text)', expected a whole number in \(range.lowerBound)...\(range.upperBound)")
        }
        return value
    }

    /// A decimal number in a range.
    package static func number(_ text: String, in range: ClosedRange<Double>) throws(OptionError) -> Double {
        guard let value = Double(text), value.isFinite, range.contains(value) else {
            throw OptionError(.outOfRange, "'\(text)', expected a number in \(range.lowerBound)...\(range.upperBound)")
        }
        return value
    }

    /// A number of frames.
    package static func frameCount(_ text: String) throws(OptionError) -> Int {
        try integer(text, in: 1...frames.upperBound)
    }

    /// A number of threads such as `4`, or `auto`.
    package static func threads(_ text: String) throws(OptionError) -> ThreadChoice {
        if text == "auto" { return ThreadChoice() }
        guard let count = Int(text), (1...128).contains(count) else {
            throw OptionError(.outOfRange, "'\(text)', expected auto or a whole number in 1...128")
        }
        return ThreadChoice(count: count)
    }

    /// Frame numbers from 0 on, in any order, each once.
    package static func frameNumbers(_ text: String) throws(OptionError) -> [Int] {
        try distinctList(text) { item throws(OptionError) in try integer(item, in: frames) }.sorted()
    }

    /// Constant rate factors separated by commas, each once.
    package static func rateFactors(_ text: String) throws(OptionError) -> [Double] {
        try distinctList(text, of: rateFactor)
    }

    /// A constant rate factor.
    package static func rateFactor(_ text: String) throws(OptionError) -> Double { try number(text, in: 0...51) }

    /// Quantizers separated by commas, each once.
    package static func quantizers(_ text: String) throws(OptionError) -> [Int] {
        try distinctList(text, of: quantizer)
    }

    /// A quantizer on the scale of eight bits, which all depths have here.
    package static func quantizer(_ text: String) throws(OptionError) -> Int { try integer(text, in: 0...51) }

    /// A limit such as `750000/1` or `64Ki/0.5`: bytes, a slash, seconds.
    package static func dataRateLimit(_ text: String) throws(OptionError) -> DataRateLimit {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw OptionError(.malformed, "'\(text)', expected BYTES/SECONDS such as 750000/1")
        }
        let bytes = try Quantity.parse(String(parts[0]), unit: "bytes", range: byteCounts)
        return DataRateLimit(bytes: bytes, seconds: try number(String(parts[1]), in: 0.001...3600))
    }

    /// A size such as `1280x720`.
    package static func size(_ text: String) throws(OptionError) -> PictureSize {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw OptionError(.malformed, "'\(text)', expected WIDTHxHEIGHT such as 1280x720")
        }
        let width = try integer(String(parts[0]), in: 1...65535)
        return PictureSize(width: width, height: try integer(String(parts[1]), in: 1...65535))
    }

    /// A frame rate such as `30`, `29.97` or `30000/1001`.
    package static func frameRate(_ text: String) throws(OptionError) -> FrameRate {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return FrameRate(try number(text, in: frameRates)) }
        let numerator = try integer(String(parts[0]), in: 1...Int(Int32.max))
        let denominator = try integer(String(parts[1]), in: 1...Int(Int32.max))
        let rate = FrameRate(numerator: numerator, denominator: denominator)
        guard frameRates.contains(rate.framesPerSecond) else {
            throw OptionError(
                .outOfRange,
                "'\(text)', expected a rate in \(frameRates.lowerBound)...\(frameRates.upperBound) frames/s")
        }
        return rate
    }

    /// The name of a pixel format that encoders take.
    package static func pixelFormat(_ text: String) throws(OptionError) -> PixelFormat {
        if let format = PixelFormat(rawValue: text), format.isFourTwoZero { return format }
        let names = PixelFormat.fourTwoZero.map(\.rawValue).joined(separator: ", ")
        throw OptionError(.unknownName, "'\(text)', expected one of \(names)")
    }

    /// A profile and level such as `h264-high-auto`, `hevc-main10-4.1` or `auto`.
    package static func profileLevel(_ text: String) throws(OptionError) -> ProfileLevel {
        if let pair = ProfileLevel(text) { return pair }
        let names = Profile.allCases.map { "\($0.name)-auto" }.joined(separator: ", ")
        throw OptionError(
            .unknownName, "'\(text)', expected auto, or a profile and 'auto' or a level such as 4.1: \(names)")
    }

    /// A way to code H.264's symbols.
    package static func entropyMode(_ text: String) throws(OptionError) -> H264EntropyMode {
        if let mode = H264EntropyMode(rawValue: text) { return mode }
        throw OptionError(
            .unknownName, "'\(text)', expected \(H264EntropyMode.allCases.map(\.rawValue).joined(separator: " or "))")
    }

    /// An option of the library, `name=value` or `name`.
    package static func nativeOption(_ text: String) throws(OptionError) -> NativeOption {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, !name.isEmpty else {
            throw OptionError(.malformed, "'\(text)', expected name=value with a name the library knows")
        }
        return NativeOption(name, parts.count == 2 ? parts[1] : nil)
    }

    /// Items separated by commas, none of them empty.
    package static func list<Item>(
        _ text: String, of item: (String) throws(OptionError) -> Item
    ) throws(OptionError) -> [Item] {
        var items: [Item] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part.isEmpty {
                throw OptionError(.malformed, "'\(text)' has an empty item; expected values separated by commas")
            }
            items.append(try item(String(part)))
        }
        return items
    }
}

/// How many threads an encoder may use.
package struct ThreadChoice: Equatable, Sendable {
    /// nil lets the library choose.
    package var count: Int?

    package init(count: Int? = nil) { self.count = count }
}

/// Width and height of a picture in luma samples.
package struct PictureSize: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
