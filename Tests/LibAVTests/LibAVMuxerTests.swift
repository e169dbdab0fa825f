// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import Testing

@testable import LibAV

/// Keeps the bytes of a container, as a file that can or cannot go back.
private final class MemorySink: LibAVSink {
    let canSeek: Bool
    private(set) var bytes: [UInt8] = []
    private var place = 0
    /// Bytes after which no more are taken; nil for any number.
    var limit: Int?
    private(set) var writeCount = 0

    init(canSeek: Bool) { self.canSeek = canSeek }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let limit, place + bytes.count > limit { return false }
        writeCount += 1
        let end = place + bytes.count
        if end > self.bytes.count { self.bytes += [UInt8](repeating: 0, count: end - self.bytes.count) }
        self.bytes.replaceSubrange(place..<end, with: bytes)
        place = end
        return true
    }

    func seek(offset: Int64, whence: CInt) -> Int64? {
        guard canSeek else { return nil }
        place = Int(offset) + (whence == 2 ? bytes.count : whence == 1 ? place : 0)
        return Int64(place)
    }
}

@Suite struct LibAVMuxerTests {
    private func format() throws -> FormatDescription {
        let sps = try H264SPS(SequenceConfiguration(displaySize: PictureSize(width: 320, height: 240)), profile: .high)
        let pps = H264PPS()
        let units = try [sps.nalUnit(), pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))]
        return try FormatDescription(codec: .h264, parameterSets: units)
    }

    private func video(_ container: LibAVContainer = .mp4) throws -> LibAVTrack {
        let format = try format()
        return LibAVTrack(
            .video(.h264, width: 320, height: 240, nominalDuration: nil),
            header: container == .transportStream ? format.annexB : format.configurationRecord, timescale: 90_000)
    }

    private let sound = LibAVTrack(
        .audio(.aac, rate: 48_000, channels: 2, frameSize: 1024, priming: 1024), header: [0x11, 0x90],
        timescale: 48_000)

    /// An access unit of one slice of no picture, in the framing of a container.
    private func unit(_ container: LibAVContainer) -> [UInt8] {
        let slice = [0x65] + [UInt8](repeating: 0x88, count: 100)
        return (container == .transportStream ? [0, 0, 0, 1] : [0, 0, 0, 101]) + slice
    }

    /// Writes a second of pictures and sound.
    private func write(_ container: LibAVContainer, to sink: MemorySink, layout: LibAVLayout = LibAVLayout()) throws {
        let muxer = try LibAVMuxer(sink, container: container, tracks: [video(container), sound], layout: layout)
        for index in 0..<25 {
            let time = MediaTime(value: Int64(index), timescale: 25)
            try muxer.write(
                unit(container), LibAVMuxer.Timing(presentation: time, decode: time, isKey: index % 10 == 0))
            for part in index * 2..<index * 2 + 2 {
                let time = MediaTime(value: Int64(part) * 1024 * 15 / 16, timescale: 48_000)
                try muxer.write(
                    [UInt8](repeating: 0x21, count: 50),
                    LibAVMuxer.Timing(presentation: time, decode: time, isKey: true),
                    track: 1)
            }
        }
        try muxer.finish()
    }

    @Test(
        "each container begins with its own bytes and holds every packet's",
        arguments: [
            (LibAVContainer.mp4, [0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70]), (.matroska, [0x1A, 0x45, 0xDF, 0xA3]),
            (.flv, [0x46, 0x4C, 0x56, 1, 5]), (.transportStream, [0x47]), (.asf, [0x30, 0x26, 0xB2, 0x75]),
            (.mov, [0, 0, 0, 0x14, 0x66, 0x74, 0x79, 0x70, 0x71, 0x74]),
        ] as [(LibAVContainer, [UInt8])])
    func containers(container: LibAVContainer, start: [UInt8]) throws {
        let sink = MemorySink(canSeek: true)
        try write(container, to: sink)
        #expect(sink.bytes.starts(with: start), "\(sink.bytes.prefix(16))")
        #expect(sink.bytes.count > 25 * 101 + 50 * 50)
    }

    @Test("equal packets make equal files")
    func reproducible() throws {
        for container in LibAVContainer.allCases {
            let sinks = [MemorySink(canSeek: true), MemorySink(canSeek: true)]
            for sink in sinks { try write(container, to: sink) }
            #expect(sinks[0].bytes == sinks[1].bytes, "\(container)")
        }
    }

    @Test("a fragmented file needs no going back, and has a fragment for each key frame")
    func fragments() throws {
        var layout = LibAVLayout()
        layout.isFragmented = true
        let sink = MemorySink(canSeek: false)
        try write(.mp4, to: sink, layout: layout)
        let moof = Array("moof".utf8)
        #expect(sink.bytes.indices.count { sink.bytes[$0...].starts(with: moof) } == 3)
        layout.isSegmented = true
        let segmented = MemorySink(canSeek: false)
        try write(.mp4, to: segmented, layout: layout)
        let index = Array("mfra".utf8)
        #expect(sink.bytes.indices.contains { sink.bytes[$0...].starts(with: index) })
        #expect(!segmented.bytes.indices.contains { segmented.bytes[$0...].starts(with: index) })
    }

    @Test("a sink is given each packet at once", arguments: [LibAVContainer.flv, .transportStream], [true, false])
    func flushing(container: LibAVContainer, isFlushed: Bool) throws {
        var layout = LibAVLayout()
        layout.isFlushed = isFlushed
        let sink = MemorySink(canSeek: true)
        try write(container, to: sink, layout: layout)
        #expect(sink.writeCount >= 75)
    }

    @Test("a buffering muxer gives the same bytes in large pieces, the header with the first, and the rest when asked")
    func buffering() throws {
        var layout = LibAVLayout()
        layout.isFlushed = true
        let (each, few) = (MemorySink(canSeek: true), MemorySink(canSeek: true))
        try write(.flv, to: each, layout: layout)
        layout.isBuffered = true
        try write(.flv, to: few, layout: layout)
        #expect(few.bytes == each.bytes && few.writeCount < 5)
        let sink = MemorySink(canSeek: true)
        let muxer = try LibAVMuxer(sink, container: .flv, tracks: [sound], layout: layout)
        for number in 0..<9 {
            let time = MediaTime(value: Int64(number) * 1024, timescale: 48_000)
            let timing = LibAVMuxer.Timing(presentation: time, decode: time, isKey: true)
            try muxer.write([UInt8](repeating: 0x21, count: 100_000), timing)
        }
        #expect(sink.bytes.count == 3 * LibAVIOContext.largeBufferSize && sink.writeCount == 3)
        muxer.flushBuffer()
        #expect(sink.bytes.count > 900_000 && sink.writeCount == 4)
    }

    @Test("of sound alone, a fragment is written each half second, and of a transport stream tables before each packet")
    func soundAlone() throws {
        let rows: [(LibAVContainer, [UInt8], Int)] = [
            (.mp4, Array("moof".utf8), 3), (.transportStream, [0x47, 0x40, 0], 20),
        ]
        for (container, mark, least) in rows {
            var layout = LibAVLayout()
            (layout.isFragmented, layout.isSegmented) = (true, true)
            let sink = MemorySink(canSeek: false)
            let muxer = try LibAVMuxer(sink, container: container, tracks: [sound], layout: layout)
            for part in 0..<80 {
                let time = MediaTime(value: Int64(part) * 1024, timescale: 48_000)
                try muxer.write(
                    [UInt8](repeating: 0x21, count: 1000),
                    LibAVMuxer.Timing(presentation: time, decode: time, isKey: true))
            }
            #expect(sink.bytes.indices.count { sink.bytes[$0...].starts(with: mark) } >= least, "\(container)")
            try muxer.finish()
        }
    }

    @Test("a sink that takes no more fails the packet or the end, and the muxer can be let go")
    func failingSink() throws {
        for limit in [0, 1000, 3000] {
            let sink = MemorySink(canSeek: true)
            sink.limit = limit
            let error = #expect(throws: LibAVError.self) { try write(.transportStream, to: sink) }
            #expect(error?.code == .failure)
            #expect(sink.bytes.count <= limit)
        }
    }

    @Test("times that a container cannot hold are refused by name")
    func times() throws {
        let sink = MemorySink(canSeek: true)
        let muxer = try LibAVMuxer(sink, container: .flv, tracks: [video()])
        let early = MediaTime(value: -1, timescale: 25)
        let negative = #expect(throws: LibAVError.self) {
            try muxer.write(unit(.flv), LibAVMuxer.Timing(presentation: early, decode: early, isKey: true))
        }
        #expect(
            negative?.code == .invalidValue && negative?.reason.contains("-1/25") == true, "\(negative?.reason ?? "")")
        let mp4 = try LibAVMuxer(MemorySink(canSeek: true), container: .mp4, tracks: [video()])
        let zero = LibAVMuxer.Timing(presentation: .zero, decode: .zero, isKey: true)
        try mp4.write(unit(.mp4), zero)
        let same = #expect(throws: LibAVError.self) { try mp4.write(unit(.mp4), zero) }
        #expect(same?.code == .invalidValue && same?.reason.contains("90000 ticks") == true, "\(same?.reason ?? "")")
        #expect(mp4.ticks(MediaTime(value: 1, timescale: 3)) == 30_000 && mp4.timescale(track: 0) == 90_000)
    }

    @Test("a codec that a container cannot hold is refused with both names")
    func codecs() throws {
        let opus = LibAVTrack(
            .audio(.opus, rate: 48_000, channels: 2, frameSize: 960, priming: 312),
            header: Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0], timescale: 48_000)
        let error = #expect(throws: LibAVError.self) {
            try LibAVMuxer(MemorySink(canSeek: true), container: .flv, tracks: [opus])
        }
        #expect(error?.code == .unsupported && error?.reason == "libavformat cannot write Opus into FLV")
    }
}
