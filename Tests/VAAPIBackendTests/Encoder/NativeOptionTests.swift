// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing

@testable import VAAPIBackend

/// What the NAL units of a stream say, in decode order.
private struct StreamFacts {
    /// The types of each picture's units.
    private(set) var pictures: [[Int]] = []
    /// Whether the slices of each picture say that it is a reference.
    private(set) var references: [Bool] = []
    /// The bytes of the stream's largest slice of H.264, without its start code.
    private(set) var mostSliceBytes = 0

    init(_ frames: [EncodedFrame], _ codec: VideoCodec) {
        for unit in frames.compactMap(\.accessUnit) {
            let stream = [UInt8](unit.data)
            let headers = Self.headers(in: stream)
            switch codec {
            case .h264:
                mostSliceBytes = max(mostSliceBytes, Self.mostSliceBytes(in: stream))
                pictures.append(headers.map { Int($0) & 31 })
                references.append(headers.contains { $0 & 31 <= 5 && $0 & 31 > 0 && $0 >> 5 & 3 > 0 })
            case .hevc:
                pictures.append(headers.map { Int($0) >> 1 & 63 })
                // Types below 16 that are even are of pictures that nothing refers to.
                references.append(!headers.contains { $0 >> 1 & 63 < 16 && $0 >> 1 & 1 == 0 })
            }
        }
    }

    /// The first byte of each unit behind a start code.
    private static func headers(in stream: [UInt8]) -> [UInt8] {
        stream.indices.dropLast(3).filter { stream[$0..<$0 + 3] == [0, 0, 1] }.map { stream[$0 + 3] }
    }

    private static func mostSliceBytes(in stream: [UInt8]) -> Int {
        let starts = stream.indices.dropLast(3).filter { stream[$0..<$0 + 3] == [0, 0, 1] }.map { $0 + 3 }
        let sizes = zip(starts, starts.dropFirst() + [stream.count + 3]).map { start, next in
            (1...5).contains(stream[start] & 31) ? next - 3 - start : 0
        }
        return sizes.max() ?? 0
    }

    func slices(_ codec: VideoCodec) -> [Int] {
        pictures.map { types in types.count { codec == .h264 ? (1...5).contains($0) : $0 < 32 } }
    }

    /// Whether each picture begins with a delimiter.
    func areDelimited(_ codec: VideoCodec) -> Bool {
        pictures.allSatisfy {
            $0.first == (codec == .h264 ? 9 : 35) && $0.count { $0 == (codec == .h264 ? 9 : 35) } == 1
        }
    }
}

/// An option with what it asks for.
private struct OptionRow: Sendable, CustomTestStringConvertible {
    var codec: VideoCodec
    var options: [NativeOption] = []
    /// Of each picture; nil where some have more than one.
    var slices: Int? = 1
    var mostSliceBytes = Int.max
    var isDelimited = false
    /// The kinds of pictures in decode order, references in capitals.
    var types: String?

    var testDescription: String { "\(codec) \(options.map { "\($0.name)=\($0.value ?? "")" })" }

    var configuration: SessionConfiguration {
        var configuration = DeviceEncoding.configuration(codec, width: 320, height: 256)
        configuration.live.constantQuantizer = 30
        configuration.nativeOptions = options
        return configuration
    }

    func expectKept(by frames: [EncodedFrame]) {
        #expect(frames.count == 10 && frames.allSatisfy { $0.accessUnit != nil })
        let facts = StreamFacts(frames, codec)
        let counts = facts.slices(codec)
        #expect(slices.map { slices in counts.allSatisfy { $0 == slices } } ?? counts.contains { $0 > 1 })
        #expect(facts.mostSliceBytes <= mostSliceBytes)
        #expect(facts.areDelimited(codec) == isDelimited)
        let kinds = zip(frames, facts.references).map { frame, isReference in
            let kind = frame.accessUnit.map { $0.pictureType == .i ? "i" : $0.pictureType == .p ? "p" : "b" } ?? ""
            return isReference ? kind.uppercased() : kind
        }.joined()
        if let types { #expect(kinds == types) }
    }
}

extension SoftVATests {
    @Suite struct NativeOptionTests {
        private static let rowsOfBoth: [OptionRow] = [VideoCodec.h264, .hevc].flatMap { codec in
            [
                OptionRow(codec: codec, types: "IPbbPbbPbb"),
                OptionRow(codec: codec, options: [NativeOption("bframes", "0")], types: "IPPPPPPPPP"),
                OptionRow(codec: codec, options: [NativeOption("bframes", "1")], types: "IPbPbPbPbP"),
                OptionRow(
                    codec: codec, options: [NativeOption("bframes", "3"), NativeOption("b-pyramid")],
                    types: "IPBbbPBbbP"),
                OptionRow(codec: codec, options: [NativeOption("slices", "4")], slices: 4),
                OptionRow(codec: codec, options: [NativeOption("aud", "1")], isDelimited: true, types: "IPbbPbbPbb"),
            ]
        }
        private static let sized = OptionRow(
            codec: .h264, options: [NativeOption("slice-max-size", "900")], slices: nil, mostSliceBytes: 900,
            types: "IPbbPbbPbb")

        @Test("each option shows in the stream as it was asked for", .inTurn(), arguments: rowsOfBoth + [sized])
        private func kept(row: OptionRow) async throws {
            let result = try await DeviceEncoding(configuration: row.configuration, count: 10).run()
            #expect(result.error == nil)
            row.expectKept(by: result.frames)
        }

        @Test(
            "what a driver lacks ends the session before a picture, with the option's name",
            arguments: [
                ("ihd-tgl", VideoCodec.h264, "bframes", "1"), ("ihd-tgl", .hevc, "ref", "4"),
                ("radeonsi-old", .hevc, "aud", "0"), ("radeonsi-new", .h264, "quality-level", "4"),
                ("ihd-kbl-nohuc", .h264, "b-pyramid", "1"), ("strict", .h264, "slices", "16"),
                ("radeonsi-new", .h264, "slice-max-size", "900"), ("ihd-tgl", .hevc, "slice-max-size", "900"),
            ])
        func lacking(personality: String, codec: VideoCodec, name: String, value: String) async throws {
            let display = try SoftVADisplay(personality)
            var configuration = DeviceEncoding.configuration(codec, width: 128, height: 128)
            configuration.nativeOptions = [NativeOption(name, value)]
            let backend = VAAPIBackend(devices: [display.device])
            let session = try CompressionSession(
                configuration, encoder: try await backend.encoder(for: codec), of: backend)
            let error = await #expect(throws: EncoderError.self) { try await session.prepare() }
            #expect(error?.code == .unsupported && error?.setting == .nativeOptions)
            #expect(error?.reason.contains("\"\(name)\"") == true, "\(String(describing: error))")
            session.invalidate()
            display.expectQuiet()
        }

        @Test("three references are taken where the level has room, and fewer where it has not")
        func references() throws {
            let display = try SoftVADisplay("strict")
            do {
                let encoder = try #require(
                    VAAPIBackend(devices: [display.device]).discover(logger: Logger(label: "test")).first)
                func kept(_ change: (inout ResolvedSettings) -> Void) throws -> Int {
                    var settings = ResolvedSettings(codec: .h264, width: 1920, height: 1080, frameRate: 30)
                    settings.live.rate = .init(.constantQuantizer(30))
                    settings.plan.allowFrameReordering = false
                    change(&settings)
                    return try VAStreamPlan(settings, encoder).references.kept
                }
                #expect(try kept { _ in } == 3)
                #expect(try kept { $0.request.realTime = true } == 1)
                // Table A-1: level 4 keeps 32768 macroblocks, four pictures of this size. The last takes two in a
                // pyramid, where there would be five.
                #expect(try kept { $0.plan.level = 40 } == 3)
                #expect(try kept { $0.plan.allowFrameReordering = true } == 4)
                let pyramid = NativeOption("b-pyramid")
                #expect(
                    try kept {
                        ($0.request.nativeOptions, $0.plan.allowFrameReordering) = ([pyramid], true)
                    } == 4)
                let option = NativeOption("ref", "4")
                let refusal = #expect(throws: EncoderError.self) {
                    try kept { settings in
                        settings.request.nativeOptions = [option]
                        (settings.plan.level, settings.plan.allowFrameReordering) = (40, true)
                    }
                }
                #expect(refusal?.reason.contains("5 such pictures") == true)
                #expect(try kept { $0.request.nativeOptions = [option] } == 4)
            }
            display.expectClean()
        }
    }
}

extension IntelDriverTests {
    @Test(
        "Intel's driver refuses no call that an option makes, and the stream has what was asked for", .inTurn(),
        .requiresIntelDriver(.free), arguments: ["tgl", "rkl", "adlp", "icl", "ehl"])
    func options(chip: String) async throws {
        let refusals = try await IntelMachine(chip: chip).run {
            await #expect(processExitsWith: .success) { try await Self.encodeWithOptions() }
        }
        #expect(refusals == [])
    }

    /// In a child: encodes with each option that the chip has, and is refused the others.
    private static func encodeWithOptions() async throws {
        // Ice Lake's generation predicts no picture of HEVC from one that is shown later.
        let chip = try IntelMachine.current().chip
        let hasB = !["icl", "ehl"].contains(chip)
        let rowsOfB = [
            OptionRow(codec: .hevc, options: [NativeOption("bframes", "1")], types: "IPbPbPbPbP"),
            OptionRow(
                codec: .hevc, options: [NativeOption("bframes", "3"), NativeOption("b-pyramid")], types: "IPBbbPBbbP"),
        ]
        // As Ice Lake the driver ends pictures of H.264 at the levels 1 and 2 with an error, FFmpeg's too.
        func best(_ codec: VideoCodec) -> String { codec == .h264 && chip == "icl" ? "3" : "1" }
        let rowsOfBoth: [OptionRow] = [VideoCodec.h264, .hevc].flatMap { codec in
            [
                OptionRow(codec: codec, types: codec == .hevc && hasB ? "IPbbPbbPbb" : "IPPPPPPPPP"),
                OptionRow(codec: codec, options: [NativeOption("ref", "1")]),
                OptionRow(codec: codec, options: [NativeOption("slices", "2")], slices: 2),
                OptionRow(codec: codec, options: [NativeOption("aud", "1")], isDelimited: true),
                OptionRow(codec: codec, options: [NativeOption("roi", "0,0,64,64,-6/64,64,100,50,4")]),
                OptionRow(codec: codec, options: [NativeOption("quality-level", best(codec))]),
                OptionRow(codec: codec, options: [NativeOption("quality-level", "7")]),
            ]
        }
        // What divides pictures is the chip, so that there is one slice.
        let sized = OptionRow(codec: .h264, options: [NativeOption("slice-max-size", "900")])
        let rows = rowsOfBoth + [sized] + (hasB ? rowsOfB : [])
        let backend = VAAPIBackend()
        for row in hasB ? [] : rowsOfB {
            let session = try await Self.session(row, backend)
            let error = await #expect(throws: EncoderError.self) { try await session.prepare() }
            #expect(error?.reason.contains("the driver has no B pictures") == true)
            session.invalidate()
        }
        for row in rows {
            let session = try await Self.session(row, backend)
            let clip = DeviceEncoding.clip(row.configuration, count: 10)
            for index in 0..<10 {
                try await session.encode(
                    clip.pixelBuffer(index, format: .nv12), at: MediaTime(value: Int64(index), timescale: 30))
            }
            try await session.finish()
            var frames: [EncodedFrame] = []
            for try await frame in session.encodedFrames { frames.append(frame) }
            row.expectKept(by: frames)
        }
    }

    private static func session(_ row: OptionRow, _ backend: VAAPIBackend) async throws -> CompressionSession {
        try CompressionSession(row.configuration, encoder: try await backend.encoder(for: row.codec), of: backend)
    }
}
