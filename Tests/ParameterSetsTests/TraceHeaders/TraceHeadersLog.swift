// SPDX-License-Identifier: MIT

import TestSupport

/// What FFmpeg's `trace_headers` bitstream filter prints of a stream, with the packets that it prints it of.
struct TraceHeadersLog {
    /// One printed line: `position name bits = value`.
    struct Element {
        var position: Int
        var name: String
        var bits: String
        var value: Int
    }

    /// One packet with the elements of each unit that was printed.
    struct Packet {
        var size: Int
        var bytes: [UInt8]
        var units: [[Element]]
    }

    /// The codec's extradata, empty when there is none.
    var extradata: [UInt8] = []
    /// What was printed of the extradata.
    var extradataUnits: [[Element]] = []
    var packets: [Packet] = []
    /// Whether FFmpeg passed on every packet; it drops those whose units it cannot read.
    var isComplete = true

    /// Passes a file through the filter.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - program: The FFmpeg to run; nil for the system's libraries, in this process.
    ///   - format: FFmpeg's name of an elementary stream's format; nil lets it find out.
    /// - Throws: What FFmpeg says.
    init(path: String, program: ExternalProgram? = nil, format: String?) async throws {
        let video = try TracedVideo(path: path, format: format)
        extradata = video.extradata
        guard let program else {
            let printed = try video.trace()
            add(printed.text, marked: false, packets: printed.packets)
            return
        }
        let input = (format.map { ["-f", $0] } ?? []) + ["-i", path]
        let copy = ["-map", "0:v:0", "-c", "copy", "-copyinkf", "-bsf:v", "trace_headers", "-f", "data", "pipe:1"]
        let output = try await program.run(["-v", "info", "-nostats"] + input + copy)
        add(output.standardError, marked: true, packets: output.standardOutput)
    }

    /// Takes what was printed apart; the program puts `[trace_headers @ 0x55d0c8a3]` in front of each line.
    private mutating func add(_ text: String, marked: Bool, packets bytes: [UInt8]) {
        var rest = bytes[...]
        TextPiece.forEachLine(of: text) { line in
            if !marked {
                add(line.words[...], &rest)
            } else if line.starts(with: "[trace_headers") {
                add(line.words.dropFirst(3), &rest)
            }
        }
        isComplete = packets.reduce(0) { $0 + $1.bytes.count } == packets.reduce(0) { $0 + $1.size } && rest.isEmpty
    }

    private mutating func add(_ line: ArraySlice<TextPiece>, _ rest: inout ArraySlice<UInt8>) {
        let words = Array(line)
        if words.count > 1, words[0].starts(with: "Packet:"), let size = words[1].number {
            packets.append(Packet(size: size, bytes: Array(rest.prefix(size)), units: []))
            rest = rest.dropFirst(size)
        }
        guard words.count == 5, words[3].starts(with: "="), let position = words[0].number, let value = words[4].number
        else { return }
        let element = Element(position: position, name: words[1].text, bits: words[2].text, value: value)
        // Positions count from each unit's first bit.
        if packets.isEmpty {
            Self.append(element, to: &extradataUnits)
        } else {
            Self.append(element, to: &packets[packets.count - 1].units)
        }
    }

    private static func append(_ element: Element, to units: inout [[Element]]) {
        if element.position == 0 {
            units.append([])
        }
        guard !units.isEmpty else { return }
        units[units.count - 1].append(element)
    }
}
