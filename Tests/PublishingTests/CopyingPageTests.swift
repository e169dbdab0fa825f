// SPDX-License-Identifier: MIT

import EncoderAPI
import FoundationEssentials
import ParameterSets
import Publishing
import TestSupport
import Testing

// The program of the page "Sending packets that something else encoded", as it stands there.
/// Makes packets of the access units of an H.264 stream with start codes.
struct Packets {
    /// The headers of the last key picture.
    private var format: FormatDescription?

    /// The packet of one access unit; nil for what comes before the first key picture with its headers.
    mutating func packet(_ unit: [UInt8], shownAt time: MediaTime, decodedAt decode: MediaTime) throws -> MediaPacket? {
        let ranges = AnnexB.nalUnitRanges(in: unit)
        let units = ranges.map { (type: try? H264NALUnitHeader(nalUnit: unit[$0]).type, bytes: Array(unit[$0])) }
        let sets = units.filter { $0.type == .sps || $0.type == .pps }.map(\.bytes)
        if !sets.isEmpty, sets != format?.parameterSets {
            format = try FormatDescription(codec: .h264, parameterSets: sets)
        }
        guard let format else { return nil }
        return MediaPacket(
            format: format, presentationTime: time, decodeTime: decode,
            isKey: units.contains { $0.type == .idrSlice }, data: unit, nalUnits: ranges)
    }
}

/// Copies coded pictures, in decode order, to a file and a server.
func copy(
    _ source: AsyncStream<(unit: [UInt8], shown: MediaTime, decoded: MediaTime)>, to outputs: [Output]
) async throws {
    let broadcast = try Broadcast(tracks: [.video], outputs: outputs)
    var packets = Packets()
    for await (unit, shown, decoded) in source {
        guard let packet = try packets.packet(unit, shownAt: shown, decodedAt: decoded) else { continue }
        try await broadcast.send(packet)
    }
    await broadcast.finish()
    for output in broadcast.statistics.values { print("\(output.name): \(output.state)") }
}

@Suite struct CopyingPageTests {
    @Test(
        "the page's program copies access units with start codes, from the first key picture on, at their times",
        .requiresProgram(.ffmpeg, .ffprobe))
    func program() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(in: folder)
            // A picture that nothing can begin with, then the stream with its headers in each key picture.
            let given = [stream.video[1]] + stream.video
            let (source, units) = AsyncStream<(unit: [UInt8], shown: MediaTime, decoded: MediaTime)>.makeStream()
            for (number, packet) in given.enumerated() {
                let sets = number > 0 && packet.isKey ? packet.format.video?.parameterSets ?? [] : []
                let unit = AnnexB.join(sets.map { $0[...] } + packet.nalUnits.map { packet.data[$0] })
                units.yield((unit, packet.presentationTime, packet.decodeTime))
            }
            units.finish()
            let paths = ["a.mp4", "a.mkv", "a.ts"].map(folder.path)
            try await copy(source, to: paths.map { path throws(PublishingError) in try .file(path) })
            for path in paths {
                let read = try await ReadPacket.all(path)
                try #require(read.count == stream.video.count, "\(path): \(read.count)")
                #expect(read.map(\.isKey) == stream.video.map(\.isKey))
                let distances = zip(read, stream.video).compactMap { read, given in
                    read.presentation.map { $0 - given.presentationTime.seconds }
                }
                #expect(distances.allSatisfy { abs($0 - distances[0]) < 0.0011 }, "\(path): \(distances)")
                try await ExternalProgram.ffmpeg.run(["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
            }
        }
    }

    @Test("the page has the program as it is compiled here")
    func page() throws {
        try PageText("Sources/Publishing/Publishing.docc/CopyingPackets.md").check(
            against: #filePath, from: ["/// Makes packets of", "/// Copies coded pictures"])
    }
}

/// A page of the package, whose programs tests compile.
struct PageText {
    private let text: String

    /// Reads a page by its path in the package.
    init(_ path: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        text = String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// Expects that programs of the page, each from its first words to the end of its block, stand in a source file.
    ///
    /// - Returns: Lines of the longest one.
    @discardableResult
    func check(against source: String, from starts: [String]) throws -> Int {
        let own = String(decoding: try Data(contentsOf: URL(filePath: source)), as: UTF8.self)
        var lines = 0
        for words in starts {
            let start = try #require(text.firstRange(of: words))
            let end = try #require(text[start.lowerBound...].firstRange(of: "\n```"))
            let program = text[start.lowerBound..<end.lowerBound]
            #expect(own.contains(program), "\(words)")
            lines = max(lines, program.split(separator: "\n").count)
        }
        return lines
    }
}
