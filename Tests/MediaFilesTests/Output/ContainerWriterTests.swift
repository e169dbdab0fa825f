// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import LibAV
import MediaIO
import ParameterSets
import TestSupport
import Testing

@testable import MediaFiles

@Suite(.requiresProgram(.ffmpeg, .ffprobe)) struct ContainerWriterTests {
    private static let extensions: [OutputFormat: String] = [
        .mp4: "mp4", .matroska: "mkv", .flv: "flv", .transportStream: "ts",
    ]
    static let formats = OutputFormat.allCases.filter { $0 != .elementaryStream }

    /// Half a tick of a container's clock, in seconds.
    private func tolerance(_ format: OutputFormat) -> Double {
        switch format {
        case .mp4: 1e-6
        case .transportStream: 0.5 / 90000 + 1e-6
        default: 0.0005 + 1e-6
        }
    }

    /// When the frames are shown in the file, in order: FLV counts from the first frame's decoding.
    private func shownTimes(_ frames: [EncodedFrame], _ format: OutputFormat) -> [Double] {
        let shift = format == .flv ? max(-frames[0].decodeTime.seconds, 0) : 0
        return frames.map { $0.presentationTime.seconds + shift }.sorted()
    }

    /// ffprobe's decoded frames: presentation times in seconds.
    private func decodedTimes(_ path: String) async throws -> [Double] {
        let output = try await ExternalProgram.ffprobe.run([
            "-v", "error", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path,
        ])
        return output.text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
    }

    private func pictures(_ path: String) async throws -> Samples {
        let output = try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-i", path, "-vsync", "passthrough", "-f", "rawvideo", "-",
        ])
        return Samples(output.standardOutput)
    }

    private func check(
        _ path: String, _ format: OutputFormat, holds frames: [EncodedFrame], picturesOf reference: String
    ) async throws {
        let times = try await decodedTimes(path)
        let expected = shownTimes(frames, format)
        #expect(times.count == expected.count)
        #expect(zip(times, expected).allSatisfy { abs($0 - $1) <= tolerance(format) }, "\(times) \(expected)")
        #expect(try await pictures(path) == pictures(reference))
        let reader = try ContainerReader(path: path)
        var packets: [ContainerPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        #expect(packets.map(\.isKey) == frames.map { $0.accessUnit?.isSync })
        if format == .mp4 {
            #expect(packets.map(\.presentationTime) == frames.map(\.presentationTime))
            #expect(packets.map(\.decodeTime) == frames.map(\.decodeTime))
            #expect(packets.last?.duration == frames.last?.duration)
        }
    }

    private func write(_ frames: [EncodedFrame], to writer: any EncodedFrameWriter) throws {
        for frame in frames { try writer.write(frame) }
        try writer.finish()
    }

    @Test(
        "a written file decodes to the same pictures at the times given, whatever the session's framing", .inTurn(),
        arguments: formats, [true, false])
    func roundTrip(format: OutputFormat, lengthPrefixed: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await EncodedClip.make(.h264, in: folder)
            let frames = try clip.frames(lengthPrefixed: lengthPrefixed, inBand: !lengthPrefixed)
            let path = folder.path("out.\(Self.extensions[format] ?? "")")
            let writer = try ContainerWriter(path: path, format: OutputFormat(path: path), codec: .h264)
            try write(frames, to: writer)
            try await check(path, format, holds: frames, picturesOf: folder.path("reference-h264.mp4"))
        }
    }

    @Test("frames at a varying rate keep their times", arguments: formats)
    func variableRate(format: OutputFormat) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await EncodedClip.make(.h264, in: folder)
            // Further and further apart, from one second on.
            let frames = try clip.frames { time in
                MediaTime(
                    value: 30000 + time.value + max(time.value, 0) * max(time.value, 0) / 100_000,
                    timescale: time.timescale)
            }
            let path = folder.path("out.\(Self.extensions[format] ?? "")")
            try write(frames, to: try ContainerWriter(path: path, format: format, codec: .h264))
            let times = try await decodedTimes(path)
            let expected = shownTimes(frames, format)
            #expect(times.count == 30)
            #expect(zip(times, expected).allSatisfy { abs($0 - $1) <= tolerance(format) }, "\(times) \(expected)")
        }
    }

    @Test(
        "frames closer together than the container's ticks are all written", .inTurn(),
        arguments: [OutputFormat.flv, .matroska], [30, 40, 90])
    func shortDistances(format: OutputFormat, factor: Int32) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await EncodedClip.make(.h264, in: folder)
            let frames = try clip.frames { MediaTime(value: $0.value, timescale: $0.timescale * factor) }
            let path = folder.path("out.\(Self.extensions[format] ?? "")")
            try write(frames, to: try ContainerWriter(path: path, format: format, codec: .h264))
            let count = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", path,
            ])
            #expect(count.text.prefix { $0.isNumber } == "30")
            #expect(try await pictures(path) == pictures(folder.path("reference-h264.mp4")))
        }
    }

    @Test("HEVC is written as its record says", arguments: [OutputFormat.mp4, .matroska, .transportStream])
    func hevc(format: OutputFormat) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await EncodedClip.make(.hevc, in: folder)
            let isAnnexB = format == .transportStream
            let sets = AnnexB.join(clip.parameterSets)
            let path = folder.path("out.\(Self.extensions[format] ?? "")")
            let file = try OutputFile(path: path, bufferSize: 1)
            let container = try #require(format.container)
            let muxer = try LibAVMuxer(
                LibAVFileSink(file), container: container,
                tracks: [
                    LibAVTrack(
                        .video(.hevc, width: clip.width, height: clip.height, nominalDuration: nil),
                        header: isAnnexB ? sets : clip.record, timescale: 30000)
                ])
            var early = EarlyFrames()
            func write(_ data: [UInt8], _ timing: LibAVMuxer.Timing) throws {
                guard isAnnexB else { return try muxer.write(data, timing) }
                for frame in early.add(data, timing, tick: { muxer.ticks($0) }) { try muxer.write(frame) }
            }
            for packet in clip.packets {
                var data = packet.data
                if isAnnexB {
                    data = try AnnexB.fromLengthPrefixed(data, lengthSize: 4)
                    if packet.isKey { data = sets + data }
                }
                try write(
                    data,
                    .init(
                        presentation: try #require(packet.presentationTime), decode: try #require(packet.decodeTime),
                        duration: packet.duration, isKey: packet.isKey, isDisposable: false))
            }
            try muxer.finish()
            try file.close()
            let reader = try ContainerReader(path: path)
            #expect(reader.codec == .hevc)
            let times = try await decodedTimes(path)
            let expected = clip.packets.compactMap { $0.presentationTime?.seconds }.sorted()
            #expect(times.count == 30)
            #expect(zip(times, expected).allSatisfy { abs($0 - $1) <= tolerance(format) }, "\(times) \(expected)")
            #expect(try await pictures(path) == pictures(folder.path("reference-hevc.mp4")))
        }
    }

    @Test("equal frames make equal files", arguments: formats)
    func deterministic(format: OutputFormat) async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await EncodedClip.make(.h264, in: folder)
            for name in ["a", "b"] {
                let writer = try ContainerWriter(path: folder.path(name), format: format, codec: .h264)
                try write(try clip.frames(), to: writer)
            }
            #expect(Samples(try folder.read("a")) == Samples(try folder.read("b")))
        }
    }

    @Test("frames without a duration last as long as the frame rate says")
    func durations() async throws {
        try await withTemporaryDirectory { folder in
            let clip = try await EncodedClip.make(.h264, in: folder)
            let rate = FrameRate(numerator: 30000, denominator: 1001)
            let writer = try ContainerWriter(path: folder.path("a.mp4"), format: .mp4, codec: .h264, frameRate: rate)
            for frame in try clip.frames() {
                try writer.write(
                    EncodedFrame(
                        outcome: frame.outcome, presentationTime: frame.presentationTime,
                        decodeTime: frame.decodeTime))
            }
            try writer.finish()
            let output = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-show_entries", "stream=duration_ts,time_base,start_pts", "-of", "csv=p=0",
                folder.path("a.mp4"),
            ])
            #expect(output.text.split(separator: "\n").first == "1/30000,0,30030")
        }
    }

    @Test("what a container cannot hold is refused by name")
    func refused() async throws {
        let flv = #expect(throws: MediaFileError.self) {
            try ContainerWriter(path: "/nonexistent/a.flv", format: .flv, codec: .hevc)
        }
        #expect(flv?.code == .unsupported)
        #expect(flv?.reason.contains("HEVC") == true)
        let pipe = #expect(throws: MediaFileError.self) {
            try ContainerWriter(path: "/dev/null", format: .mp4, codec: .h264)
        }
        #expect(pipe?.code == .unsupported)
        #expect(throws: MediaFileError.self) {
            try ContainerWriter(path: "/nonexistent/a", format: .elementaryStream, codec: .h264)
        }
        try await withTemporaryDirectory { folder in
            let frames = try await EncodedClip.make(.h264, in: folder).frames { time in
                MediaTime(value: time.value - 5005, timescale: time.timescale)
            }
            for format in Self.formats where format != .mp4 {
                let writer = try ContainerWriter(path: folder.path("a"), format: format, codec: .h264)
                let error = #expect(throws: MediaFileError.self) { try writer.write(frames[0]) }
                #expect(error?.code == .invalidValue)
                #expect(error?.reason.contains("-5005/30000") == true)
            }
        }
    }

    /// Frames whose second half has another size, as after a session that restarted with a key frame.
    private func framesOfTwoSizes(_ folder: TemporaryDirectory) async throws -> (
        first: [EncodedFrame], second: [EncodedFrame]
    ) {
        let first = try await EncodedClip.make(.h264, in: folder).frames(inBand: false)
        let second = try await EncodedClip.make(.h264, size: "64x48", in: folder).frames(inBand: false) { time in
            MediaTime(value: time.value + 30 * 1001, timescale: time.timescale)
        }
        return (first, second)
    }

    @Test("another format is refused with its first frame where the container holds one", .inTurn(), arguments: formats)
    func formatChange(format: OutputFormat) async throws {
        try await withTemporaryDirectory { folder in
            let (first, second) = try await framesOfTwoSizes(folder)
            let path = folder.path("out.\(Self.extensions[format] ?? "")")
            let writer = try ContainerWriter(path: path, format: format, codec: .h264)
            for frame in first { try writer.write(frame) }
            guard format != .transportStream else { return try write(second, to: writer) }
            let error = #expect(throws: MediaFileError.self) { try writer.write(second[0]) }
            #expect(error?.code == .unsupported)
            #expect(error?.reason.contains(format.name) == true)
            #expect(error?.reason.contains("the size changes from 96x64 to 64x48") == true)
            // Frames of the first format that came after it would have a gap before them.
            let later = #expect(throws: MediaFileError.self) { try writer.write(first[1]) }
            #expect(later == error)
            try writer.finish()
            try await check(path, format, holds: first, picturesOf: folder.path("reference-h264.mp4"))
            // The frame that was refused starts the next file.
            let next = folder.path("next.\(Self.extensions[format] ?? "")")
            try write(second, to: try ContainerWriter(path: next, format: format, codec: .h264))
            try await check(next, format, holds: second, picturesOf: folder.path("reference-h264-64x48.mp4"))
        }
    }

    @Test("a transport stream carries the parameter sets of another format, whatever its first frame is")
    func formatChangeInBand() async throws {
        try await withTemporaryDirectory { folder in
            let frames = try await EncodedClip.make(.h264, in: folder).frames(inBand: false)
            let unit = try #require(frames[1].accessUnit)
            let sets = unit.format.parameterSets
            let other = try FormatDescription(codec: .h264, parameterSets: sets + [sets[1]])
            let changed = EncodedFrame(
                outcome: .encoded(
                    AccessUnit(
                        data: unit.data, nalUnits: unit.nalUnits, format: other, pictureType: .p, isSync: false)),
                presentationTime: frames[1].presentationTime, decodeTime: frames[1].decodeTime)
            let writer = try ContainerWriter(path: folder.path("a.ts"), format: .transportStream, codec: .h264)
            try write([frames[0], changed], to: writer)
            let reader = try ContainerReader(path: folder.path("a.ts"))
            _ = try reader.next()
            let data = try #require(try reader.next()).data
            #expect(data.firstRange(of: sets[1]) != nil)
        }
    }

    @Test("a transport stream's decode times before zero are spread up to the first after it")
    func decodeTimes() async throws {
        let format = OutputFormat.transportStream
        try await withTemporaryDirectory { folder in
            let frames = try await EncodedClip.make(.h264, in: folder).frames()
            #expect(frames[0].decodeTime < .zero)
            let path = folder.path("out.ts")
            try write(frames, to: try ContainerWriter(path: path, format: format, codec: .h264))
            let reader = try ContainerReader(path: path)
            var times: [Double] = []
            while let packet = try reader.next() { times.append(try #require(packet.decodeTime).seconds) }
            let moved = frames.prefix { $0.decodeTime <= .zero }.count
            let end = frames[moved].decodeTime.seconds
            for (index, time) in times.prefix(moved).enumerated() {
                #expect(abs(time - end * Double(index) / Double(moved)) <= 2 * tolerance(format), "\(times)")
            }
            for (time, frame) in zip(times, frames).dropFirst(moved) {
                #expect(abs(time - frame.decodeTime.seconds) <= tolerance(format))
            }
        }
    }

    @Test("FLV is decoded at the given distances, from zero on", arguments: [0, 3003, 30000])
    func shiftedTimes(start: Int64) async throws {
        try await withTemporaryDirectory { folder in
            let frames = try await EncodedClip.make(.h264, in: folder).frames { time in
                MediaTime(value: time.value + start, timescale: time.timescale)
            }
            let path = folder.path("out.flv")
            try write(frames, to: try ContainerWriter(path: path, format: .flv, codec: .h264))
            let reader = try ContainerReader(path: path)
            let shift = max(.zero - frames[0].decodeTime, .zero)
            #expect((shift > .zero) == (start == 0))
            for frame in frames {
                let packet = try #require(try reader.next())
                let (decode, shown) = (try #require(packet.decodeTime), try #require(packet.presentationTime))
                #expect(abs((decode - frame.decodeTime - shift).seconds) <= tolerance(.flv))
                #expect(abs((shown - frame.presentationTime - shift).seconds) <= tolerance(.flv))
            }
        }
    }

    @Test("frames that all are decoded before zero are written when the file ends")
    func fewFrames() async throws {
        try await withTemporaryDirectory { folder in
            let frames = Array(try await EncodedClip.make(.h264, in: folder).frames().prefix(2))
            let path = folder.path("out.ts")
            try write(frames, to: try ContainerWriter(path: path, format: .transportStream, codec: .h264))
            let times = try await decodedTimes(path)
            #expect(times.count == 2)
        }
    }

    @Test("a file without frames leaves what was there: an older file, or none", arguments: OutputFormat.allCases)
    func withoutFrames(format: OutputFormat) async throws {
        try await withTemporaryDirectory { folder in
            func finishWithoutFrames(_ path: String) throws {
                let writer: any EncodedFrameWriter =
                    format == .elementaryStream
                    ? try ElementaryStreamWriter(path: path)
                    : try ContainerWriter(path: path, format: format, codec: .h264)
                try writer.write(
                    EncodedFrame(outcome: .dropped(.rateControl), presentationTime: .zero, decodeTime: .zero))
                try writer.finish()
                try writer.finish()
            }
            let older = try folder.write([1, 2, 3], to: "older")
            try finishWithoutFrames(older)
            #expect(try folder.read("older") == [1, 2, 3])
            try finishWithoutFrames(folder.path("new"))
            #expect(access(folder.path("new"), F_OK) != 0)
        }
    }

    @Test("a full disk is a typed error", arguments: [OutputFormat.matroska, .flv, .transportStream])
    func fullDisk(format: OutputFormat) async throws {
        try await withTemporaryDirectory { folder in
            let frames = try await EncodedClip.make(.h264, in: folder).frames()
            let writer = try ContainerWriter(path: "/dev/full", format: format, codec: .h264)
            let error = #expect(throws: MediaFileError.self) { try write(frames, to: writer) }
            #expect(error?.code == .diskFull)
            #expect(throws: MediaFileError.self) { try writer.finish() }
        }
    }
}
