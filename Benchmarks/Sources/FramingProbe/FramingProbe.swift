// SPDX-License-Identifier: MIT

import Glibc
import ParameterSets

/// Measures scanning and conversions against `memcpy` of the same bytes in the same run.
///
/// Takes the path of an Annex B stream, which is repeated to 64 MiB or more; without one, makes units of random bytes.
/// With `--ffmpeg` before the path of a `.264` or `.265` file, compares with FFmpeg instead; `--read NAME COUNT` only
/// reads a parameter set so many times, `--write` only writes it, `--read` lists their names.
@main
struct FramingProbe {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "--read": return try ParameterSetProbe.run(Array(arguments.dropFirst()))
        case "--write": return try ParameterSetProbe.run(Array(arguments.dropFirst()), writes: true)
        case "--ffmpeg" where arguments.count == 2: return try compareWithFFmpeg(path: arguments[1])
        default: break
        }
        let stream = try stream(arguments.first.map(read) ?? randomUnits())
        let sample = try LengthPrefixed.fromAnnexB(stream, lengthSize: 4)
        let units = AnnexB.nalUnitRanges(in: stream)
        print("\(stream.count) bytes, \(units.count) units, median of \(rounds) rounds")
        var (fresh, warm): ([Double], [Double]) = ([], [])
        var target = stream
        let probes: [(name: String, goal: Double, run: () throws -> Int)] = [
            ("scan for start codes", 0.5, { AnnexB.nalUnitRanges(in: stream).count }),
            ("Annex B to lengths", 0.4, { try LengthPrefixed.fromAnnexB(stream, lengthSize: 4).count }),
            ("lengths to Annex B", 0.4, { try AnnexB.fromLengthPrefixed(sample, lengthSize: 4).count }),
            ("remove emulation prevention", 0, { EmulationPrevention.unescape(stream).count }),
        ]
        var seconds = Array(repeating: [Double](), count: probes.count)
        for _ in 0..<rounds {
            fresh.append(time { copy(stream) })
            warm.append(time { copy(stream, to: &target) })
            for (index, probe) in probes.enumerated() {
                seconds[index].append(try time(probe.run))
            }
        }
        // What makes new bytes is compared with memcpy into new memory, everything else with memcpy into used memory.
        report("memcpy into used memory", median(warm), median(warm), stream.count, goal: 0)
        report("memcpy into new memory", median(fresh), median(warm), stream.count, goal: 0)
        for (index, probe) in probes.enumerated() {
            report(
                probe.name, median(seconds[index]), median(index == 0 ? warm : fresh), stream.count, goal: probe.goal)
        }
        try reportInPlace(stream, median(warm))
    }

    private static let rounds = 9
    private static let size = 64 << 20

    private static func stream(_ unit: [UInt8]) throws -> [UInt8] {
        guard !unit.isEmpty else { return [] }
        var stream: [UInt8] = []
        while stream.count < size {
            stream += unit
        }
        return stream
    }

    private static func compareWithFFmpeg(path: String) throws {
        let file = read(path)
        let units = AnnexB.nalUnitRanges(in: file).map { Array(file[$0]) }
        let stream = try stream(file)
        if path.hasSuffix(".265") {
            func sets(_ type: HEVCNALUnitType) -> [[UInt8]] {
                Array(units.filter { (try? HEVCNALUnitHeader(nalUnit: $0).type) == type }.prefix(1))
            }
            let record = try HEVCDecoderConfiguration(
                videoParameterSets: sets(.vps), sequenceParameterSets: sets(.sps), pictureParameterSets: sets(.pps))
            try FFmpegComparison<HEVCAccessUnitDetector>(format: "hevc", stream: stream).run(record: record.bytes)
        } else {
            func sets(_ type: H264NALUnitType) -> [[UInt8]] {
                Array(units.filter { (try? H264NALUnitHeader(nalUnit: $0).type) == type }.prefix(1))
            }
            let record = try AVCDecoderConfiguration(
                sequenceParameterSets: sets(.sps), pictureParameterSets: sets(.pps))
            try FFmpegComparison<H264AccessUnitDetector>(format: "h264", stream: stream).run(record: record.bytes)
        }
    }

    private static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else {
            perror(path)
            exit(1)
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
                count = fread(buffer.baseAddress, 1, buffer.count, file)
            }
            guard !piece.isEmpty else { return bytes }
            bytes += piece
        }
    }

    /// Units of 8 KB, about that of a 720p inter picture at 2 Mbit/s.
    private static func randomUnits() -> [UInt8] {
        var state: UInt64 = 1
        return AnnexB.join(
            (0..<128).map { _ in
                let bytes = (0..<8192).map { _ -> UInt8 in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
                return EmulationPrevention.escape([0x41] + bytes + [0x80])
            })
    }

    private static func copy(_ bytes: [UInt8]) -> Int {
        let copy = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            bytes.withUnsafeBytes { source in
                guard let to = buffer.baseAddress, let from = source.baseAddress else { return }
                memcpy(to, from, source.count)
            }
            count = bytes.count
        }
        return copy.count
    }

    private static func copy(_ bytes: [UInt8], to target: inout [UInt8]) {
        target.withUnsafeMutableBytes { buffer in
            bytes.withUnsafeBytes { source in
                guard let to = buffer.baseAddress, let from = source.baseAddress else { return }
                memcpy(to, from, source.count)
            }
        }
    }

    private static func reportInPlace(_ stream: [UInt8], _ reference: Double) throws {
        var (there, back): ([Double], [Double]) = ([], [])
        var bytes = stream
        // The first conversion makes every start code four bytes long, so that the others stay in place.
        try LengthPrefixed.convertFromAnnexB(&bytes, lengthSize: 4)
        for _ in 0..<rounds {
            back.append(try time { try AnnexB.convertFromLengthPrefixed(&bytes, lengthSize: 4) })
            there.append(try time { try LengthPrefixed.convertFromAnnexB(&bytes, lengthSize: 4) })
        }
        report("Annex B to lengths in place", median(there), reference, stream.count, goal: 0.4)
        report("lengths to Annex B in place", median(back), reference, stream.count, goal: 0.4)
    }

    private static func report(_ name: String, _ seconds: Double, _ reference: Double, _ count: Int, goal: Double) {
        let ratio = reference / seconds
        let rate = Double(count) / seconds / 1e9
        let verdict = goal > 0 ? (ratio >= goal ? "goal \(goal) met" : "goal \(goal) MISSED") : ""
        print("\(name): \(rounded(rate)) GB/s, \(rounded(ratio)) of memcpy \(verdict)")
    }
}
