// SPDX-License-Identifier: MIT

import EncoderAPI

extension StreamChecker {
    /// Format descriptions are complete and change where decoding can start; in-band sets are where they should be.
    func checkFormats(_ frames: [EncodedFrame], _ findings: inout Findings) {
        var format: FormatDescription?
        for frame in frames {
            guard let unit = frame.accessUnit else { continue }
            let changes = unit.format != format
            if changes {
                checkFormat(unit.format, of: frame, &findings)
                findings.expect(
                    unit.isSync || unit.isPartialSync, "the format to change on a frame where decoding can start",
                    seen: "a change on \(name(of: frame))")
                format = unit.format
            }
            checkPlacement(unit, changes: changes, name(of: frame), &findings)
        }
    }

    private func checkFormat(_ format: FormatDescription, of frame: EncodedFrame, _ findings: inout Findings) {
        let (codec, name) = (configuration.codec, name(of: frame))
        let was = (frame.token as? Int).flatMap { given.indices.contains($0) ? given[$0] : nil }
        let (width, height) = (was?.width ?? configuration.width, was?.height ?? configuration.height)
        findings.expect(format.codec == codec, "format description of \(codec)", seen: "\(format.codec)")
        let units = format.parameterSets.map { StreamUnit($0[...], codec: codec) }
        for (type, set) in StreamUnit.requiredSets(codec) {
            findings.expect(
                units.contains { $0.kind == .parameterSet(type) }, "a \(set) in the format description of \(name)",
                seen: "\(units.map(\.name))")
        }
        findings.expect(
            units.allSatisfy(\.isParameterSet), "only parameter sets in the format description of \(name)",
            seen: "\(units.map(\.name))")
        findings.expect(
            format.width == width && format.height == height,
            "a format description of \(width)x\(height) for \(name)", seen: "\(format.width)x\(format.height)")
        findings.expect(
            format.codedWidth >= format.width && format.codedHeight >= format.height,
            "a coded size of \(format.width)x\(format.height) or more",
            seen: "\(format.codedWidth)x\(format.codedHeight)")
        if case .lengthPrefixed(let bytes) = configuration.framing {
            findings.expect(
                format.nalUnitLengthSize == bytes, "a format description with lengths of \(bytes) bytes",
                seen: "\(format.nalUnitLengthSize)")
        }
        checkRecord(format, name, &findings)
    }

    /// The record starts with version 1 and holds every set; the codec string names the sample entry.
    private func checkRecord(_ format: FormatDescription, _ name: String, _ findings: inout Findings) {
        let record = format.configurationRecord
        findings.expect(
            record.first == 1, "a configuration record of version 1 for \(name)", seen: "\(record.prefix(1))")
        for set in format.parameterSets {
            findings.expect(
                record.contains(subsequence: set), "a parameter set of \(set.count) bytes in the configuration record",
                seen: "a record of \(record.count) bytes without it")
        }
        let prefixes = format.codec == .h264 ? ["avc1.", "avc3."] : ["hvc1.", "hev1."]
        findings.expect(
            prefixes.contains { format.codecString.hasPrefix($0) }, "a codec string that starts with \(prefixes[0])",
            seen: "\"\(format.codecString)\"")
    }

    private func checkPlacement(_ unit: AccessUnit, changes: Bool, _ name: String, _ findings: inout Findings) {
        let sets = unit.streamUnits(configuration.codec).filter(\.isParameterSet).map { Array($0.bytes) }
        let mustCarry =
            switch configuration.parameterSets {
            case .outOfBand: false
            case .firstAndOnChange: changes
            case .everySyncFrame: unit.isSync || unit.isPartialSync
            }
        let expected = mustCarry ? unit.format.parameterSets : []
        findings.expect(
            sets == expected, "\(expected.count) parameter sets in \(name), those of its format description",
            seen: "\(sets.count)")
    }
}

extension [UInt8] {
    /// Whether `other` stands somewhere in the bytes.
    func contains(subsequence other: [UInt8]) -> Bool {
        guard let first = other.first, count >= other.count else { return other.isEmpty }
        return (0...count - other.count).contains { start in
            self[start] == first && self[start..<start + other.count].elementsEqual(other)
        }
    }
}
