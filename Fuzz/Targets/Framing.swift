// SPDX-License-Identifier: MIT

/// Start codes, lengths, conversions and emulation prevention agree with each other; reading in pieces with reading
/// whole.
func checkFraming(_ bytes: [UInt8]) {
    let ranges = AnnexB.nalUnitRanges(in: bytes)
    checkStream(bytes, ranges)
    checkSmallUnits(bytes, ranges)
    let size = LengthPrefixed.sizes[bytes.count % 3]
    checkConversion(bytes, ranges, size)
    checkSample(bytes, size)
    checkEscapes(bytes)
}

/// Pieces of 1...7 bytes, as the bytes themselves say.
private func pieces(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let first = rest.first {
        pieces.append(rest.prefix(Int(first) % 7 + 1))
        rest = rest.dropFirst(Int(first) % 7 + 1)
    }
    return pieces
}

private func checkStream(_ bytes: [UInt8], _ ranges: [Range<Int>]) {
    var reader = AnnexBStreamReader()
    var units: [AnnexBStreamReader.Unit] = []
    for piece in pieces(bytes) {
        units += (try? reader.append(piece)) ?? []
    }
    units += reader.finish().map { [$0] } ?? []
    require(units.map(\.bytes) == ranges.map { Array(bytes[$0]) }, "units in pieces are others")
    for (unit, range) in zip(units, ranges) {
        require(unit.startCodeOffset + unit.startCodeLength == range.lowerBound, "a start code elsewhere")
        require(AnnexB.startCode.suffix(unit.startCodeLength) == bytes[unit.startCodeOffset..<range.lowerBound], "none")
    }
}

/// A reader that takes only small units refuses a large one, and gives all where there is none.
private func checkSmallUnits(_ bytes: [UInt8], _ ranges: [Range<Int>]) {
    let limit = 16
    var reader = AnnexBStreamReader(maximumUnitSize: limit)
    do {
        var units: [AnnexBStreamReader.Unit] = []
        for piece in pieces(bytes) {
            units += try reader.append(piece)
        }
        units += reader.finish().map { [$0] } ?? []
        require(units.map(\.bytes) == ranges.map { Array(bytes[$0]) }, "a small unit is missing")
        require(ranges.allSatisfy { $0.count <= limit }, "a large unit is taken")
    } catch {
        require(error.code == .badLength, "another error")
    }
}

private func checkConversion(_ bytes: [UInt8], _ ranges: [Range<Int>], _ size: Int) {
    guard var inPlace = try? LengthPrefixed.fromAnnexB(bytes, lengthSize: size) else { return }
    let converted = inPlace
    let scan = LengthPrefixed.scan(converted, lengthSize: size)
    require(scan.error == nil, "the lengths do not add up")
    require(scan.ranges.map { converted[$0] } == ranges.map { bytes[$0] }, "lengths of other units")
    inPlace = bytes
    require((try? LengthPrefixed.convertFromAnnexB(&inPlace, lengthSize: size)) != nil, "not in place")
    require(inPlace == converted, "another sample in place")
    require((try? AnnexB.convertFromLengthPrefixed(&inPlace, lengthSize: size)) != nil, "not back in place")
    require(inPlace == AnnexB.join(ranges.map { Array(bytes[$0]) }), "another stream in place")
}

/// The bytes as a length-prefixed sample.
private func checkSample(_ bytes: [UInt8], _ size: Int) {
    let scan = LengthPrefixed.scan(bytes, lengthSize: size)
    let end = scan.error?.length?.offset ?? bytes.count
    require((scan.ranges.last?.upperBound ?? 0) <= end && end <= bytes.count, "a unit beyond the sample")
    let stream = try? AnnexB.fromLengthPrefixed(bytes, lengthSize: size)
    require((stream == nil) == (scan.error != nil), "scanning and converting disagree")
    var inPlace = bytes
    try? AnnexB.convertFromLengthPrefixed(&inPlace, lengthSize: size)
    require(inPlace == stream ?? bytes, "another stream in place")
}

private func checkEscapes(_ bytes: [UInt8]) {
    let withStopBit = bytes + [0x80]
    let escaped = EmulationPrevention.escape(withStopBit)
    require(EmulationPrevention.unescape(escaped) == withStopBit, "escapes are not undone")
    require(AnnexB.nalUnitRanges(in: AnnexB.startCode + escaped) == [4..<4 + escaped.count], "a start code is left")
    let plain = EmulationPrevention.unescape(bytes)
    let limit = Int(bytes.first ?? 0)
    require(EmulationPrevention.unescape(bytes, limit: limit) == Array(plain.prefix(limit)), "a limit changes bytes")
}
