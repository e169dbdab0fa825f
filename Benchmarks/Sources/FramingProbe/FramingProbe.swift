// SPDX-License-Identifier: MIT

import Glibc
import ParameterSets

/// Measures scanning and conversions against `memcpy` of the same bytes in the same run.
///
/// Takes the path of an Annex B stream, which is repeated to 64 MiB or more; without one, makes units of random bytes.
/// `--sps COUNT` does nothing but read an SPS so many times.
@main
struct FramingProbe {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--sps", let count = arguments.dropFirst().first.flatMap({ Int($0) }) {
            try readParameterSets(count: count)
            return
        }
        let stream = try stream()
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
        try readParameterSets(count: 100_000)
    }

    private static let rounds = 9
    private static let size = 64 << 20

    private static func stream() throws -> [UInt8] {
        let unit = CommandLine.arguments.dropFirst().first.map(read) ?? randomUnits()
        guard !unit.isEmpty else { return [] }
        var stream: [UInt8] = []
        while stream.count < size {
            stream += unit
        }
        return stream
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

    /// Reads an SPS with VUI and HRD so many times.
    ///
    /// Run under `valgrind`, two counts tell how many allocations one reading takes: those of the unit without emulation
    /// prevention and of the list of schedules.
    private static func readParameterSets(count: Int) throws {
        let unit: [UInt8] = [
            0x67, 0x64, 0x00, 0x14, 0xAC, 0xD9, 0x42, 0xC4, 0xEC, 0x39, 0xA8, 0x08, 0x08, 0x0A, 0x00, 0x00, 0x07, 0xD2,
            0x00, 0x01, 0xD4, 0xC1, 0xC0, 0xC0, 0x01, 0xE8, 0x48, 0x00, 0x3D, 0x09, 0xCD, 0x86, 0x00, 0xF1, 0x42, 0x99,
            0x60,
        ]
        var sum = 0
        let seconds = try time {
            for _ in 0..<count {
                sum += try H264SPS(nalUnit: unit).levelIdc
            }
            return sum
        }
        print(
            "reading an SPS of \(unit.count) bytes: \(Int(seconds / Double(max(count, 1)) * 1e9)) ns (\(count) times)")
    }

    @discardableResult
    private static func time<Result>(_ body: () throws -> Result) rethrows -> Double {
        let clock = ContinuousClock()
        var result: Result?
        let duration = try clock.measure { result = try body() }
        withExtendedLifetime(result) {}
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private static func report(_ name: String, _ seconds: Double, _ reference: Double, _ count: Int, goal: Double) {
        let ratio = reference / seconds
        let rate = Double(count) / seconds / 1e9
        let verdict = goal > 0 ? (ratio >= goal ? "goal \(goal) met" : "goal \(goal) MISSED") : ""
        print("\(name): \(rounded(rate)) GB/s, \(rounded(ratio)) of memcpy \(verdict)")
    }

    private static func rounded(_ value: Double) -> Double {
        (value * 100).rounded() / 100
    }
}
