// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Publishing
import Testing

@testable import encpublish

@Suite struct PublishPlanTests {
    private func wishes(
        _ input: String, to outputs: [String] = ["out.mp4"],
        _ change: (inout PublishPlan.Wishes) throws -> Void = { _ in }
    ) throws -> PublishPlan.Wishes {
        var wishes = PublishPlan.Wishes(input: try InputChoice(input))
        wishes.outputs = try outputs.map { text throws(OptionError) in try PlannedOutput(text, encodings: ["s"]) }
        try change(&wishes)
        return wishes
    }

    @Test("a test source has a tone, a file its own sound where it has some, and a copy the packets of it")
    func usualSound() throws {
        #expect(try PublishPlan(wishes("test")).sound == .tone)
        #expect(try PublishPlan(wishes("in.mkv")).sound == .inputIfAny)
        #expect(try PublishPlan(wishes("-")).sound == .none)
        #expect(
            try PublishPlan(wishes("in.yuv") { $0.size = PictureSize(width: 16, height: 16) }).sound == .none)
        #expect(try PublishPlan(wishes("in.mkv") { ($0.isCopy, $0.sound) = (true, .input) }).sound == .copied)
        #expect(try PublishPlan(wishes("in.mkv") { $0.isCopy = true }).sound == .copied)
        #expect(try PublishPlan(wishes("test") { $0.sound = SoundChoice.none }).sound == .none)
    }

    @Test("the encoder follows from codec and name")
    func encoder() throws {
        #expect(
            try PublishPlan(wishes("test")).pictures
                == .encoded([.init(choice: EncoderChoice(encoder: .x264, codec: .h264, promised: nil))]))
        #expect(
            try PublishPlan(wishes("test") { $0.codec = .hevc }).pictures
                == .encoded([.init(choice: EncoderChoice(encoder: .x265, codec: .hevc, promised: nil))]))
    }

    @Test(
        "a file is read as its times say where it goes to a server, a pipe and all else as fast as it comes",
        arguments: [
            ("in.mkv", "rtmp://h/a/k", .realTime), ("test", "udp://h:1", .realTime), ("in.mkv", "out.ts", .fast),
            ("-", "rtmp://h/a/k", .fast),
        ] as [(String, String, PublishPlan.Pace)])
    func pace(input: String, output: String, pace: PublishPlan.Pace) throws {
        #expect(try PublishPlan(wishes(input, to: [output])).pace == pace)
        #expect(try PublishPlan(wishes(input, to: [output]) { $0.pace = .fast }).pace == .fast)
    }

    @Test("what has no end says so, and so does what --adapt lowers beside a server")
    func notes() throws {
        let endless = try PublishPlan(wishes("test")).notes
        #expect(endless.count == 1 && endless[0].contains("no end") && endless[0].contains("--duration"))
        #expect(try PublishPlan(wishes("test") { $0.duration = 1 }).notes.isEmpty)
        #expect(try PublishPlan(wishes("in.mkv")).notes.isEmpty)
        let adapting = try PublishPlan(
            wishes("in.mkv", to: ["rtmp://h/a/KEY", "o.ts", "s=own.ts"]) {
                ($0.adapts, $0.hasMeanBitRate) = (true, true)
                $0.named = [.init(name: "s", choice: try EncoderChoice(encoder: .x264, codec: nil, promised: nil))]
                $0.recording = try PlannedOutput("r.mkv", encodings: [])
            })
        #expect(adapting.notes.count == 1, "\(adapting.notes)")
        let note = try #require(adapting.notes.first)
        #expect(note.contains("o.ts, r.mkv") && note.contains("--encoding") && note.contains("rtmp://h/a/…"))
        #expect(!note.contains("own.ts") && !note.contains("KEY"))
        #expect("\(adapting)".contains("note     --adapt"))
    }

    @Test("wishes that exclude each other are refused, by name")
    func conflicts() throws {
        let encoding = PublishPlan.Encoding(
            name: "s", choice: try EncoderChoice(encoder: .x264, codec: nil, promised: nil))
        let rows: [(String, [String], (inout PublishPlan.Wishes) throws -> Void, String)] = [
            ("in.mkv", [], { _ in }, "nowhere to write to"),
            ("test", ["o.ts"], { $0.isCopy = true }, "--copy of test"),
            ("test", ["o.ts"], { $0.serverOptions = ["--tries"] }, "--tries without a server"),
            (
                "test", ["rtmp://h/a/k"], { $0.certificateOptions = ["--insecure"] },
                "--insecure without an output to rtmps://"
            ),
            ("i.mkv", ["o.ts"], { ($0.isCopy, $0.encoder) = (true, .x264) }, "--encoder with --copy"),
            ("i.mkv", ["o.ts"], { ($0.isCopy, $0.encoderOptions) = (true, ["--preset"]) }, "--preset with --copy"),
            ("i.mkv", ["o.ts"], { ($0.isCopy, $0.sound) = (true, .tone) }, "--sound tone with --copy"),
            (
                "i.mkv", ["o.ts"], { ($0.sound, $0.soundOptions) = (SoundChoice.none, ["--sound-rate"]) },
                "--sound-rate without sound that is encoded; give --sound too"
            ),
            (
                "i.mkv", ["o.ts"], { ($0.isCopy, $0.soundOptions) = (true, ["--sound-rate"]) },
                "--sound-rate without sound that is encoded; leave it out, or --copy"
            ),
            ("-", ["o.ts"], { $0.sound = .input }, "--sound input of standard input"),
            ("test", ["o.ts"], { $0.sound = .input }, "--sound input of test"),
            ("test", ["o.ts"], { $0.named = [encoding] }, "--encoding s has no output; give one as --to s=OUTPUT"),
            ("test", ["s=o.ts", "p.ts"], { $0.named = [encoding, encoding] }, "--encoding s is given twice"),
            (
                "test", ["s=o.ts"], { ($0.named, $0.codec) = ([encoding], .h264) },
                "--codec is for outputs without the name of an encoding"
            ),
            ("i.mkv", ["s=o.ts"], { ($0.named, $0.isCopy) = ([encoding], true) }, "--encoding with --copy"),
            ("test", ["o.ts", "s=o.ts"], { $0.named = [encoding] }, "o.ts is written to twice"),
            ("test", ["o.ts"], { ($0.adapts, $0.hasMeanBitRate) = (true, true) }, "--adapt without a server"),
            ("test", ["udp://h:1"], { $0.adapts = true }, "give --average-bit-rate"),
            (
                "test", ["s=udp://h:1"], { ($0.adapts, $0.named, $0.hasMeanBitRate) = (true, [encoding], true) },
                "give average-bit-rate in --encoding s"
            ),
            ("i.mkv", ["udp://h:1"], { ($0.adapts, $0.isCopy) = (true, true) }, "--adapt with --copy"),
            ("-", ["o.ts"], { $0.sound = .file(path: "-") }, "both want standard input"),
            ("i.mkv", ["o.ts", "ts:o.ts"], { _ in }, "o.ts is written to twice"),
            ("i.mkv", ["rtmp://h/a/KEY", "rtmp://h/a/KEY"], { _ in }, "rtmp://h/a/… is written to twice"),
            ("i.mkv", ["o.ts"], { $0.recording = .init(.file(path: "o.ts", .transportStream)) }, "written to twice"),
            ("i.mkv", ["o.ts"], { $0.recordingStart = 1 }, "--record-after without --record"),
            ("i.mkv", ["i.mkv"], { _ in }, "i.mkv is the input too"),
            ("i.mkv", [], { $0.recording = .init(try OutputChoice("rtmp://h/a/KEY")) }, "--record rtmp://h/a/…"),
            ("test", ["o.ts"], { ($0.encoder, $0.codec) = (.x264, .hevc) }, "--encoder x264 encodes H.264"),
        ]
        for (input, outputs, change, words) in rows {
            let wishes = try wishes(input, to: outputs, change)
            let error = #expect(throws: OptionError.self) { try PublishPlan(wishes) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error)), not \(words)")
            #expect(error?.description.contains("KEY") == false)
        }
    }

    @Test("the plan hides secrets of an input, and of sound, that is an address")
    func inputSecrets() throws {
        let plan = try PublishPlan(
            wishes("rtmp://u:SECRET@h/app/KEY SECRET", to: ["a.mkv"]) {
                $0.sound = try SoundChoice("http://u:SECRET@h/x SECRET")
            })
        let text = plan.description
        #expect(text.contains("input    rtmp://h/…\n") && text.contains("sound    http://h/…\n"), "\(text)")
        #expect(!text.contains("SECRET") && plan.input == .file(path: "rtmp://u:SECRET@h/app/KEY SECRET"))
    }

    @Test("the plan says in words what is done, without secrets")
    func text() throws {
        let plan = try PublishPlan(
            wishes("test", to: ["rtmp://h/mytv/KEY", "out.mp4", "live/"]) {
                $0.recording = .init(.file(path: "r.mkv", .matroska), encoding: "s")
                $0.named = [.init(name: "s", choice: try EncoderChoice(encoder: .x265, codec: nil, promised: nil))]
                ($0.recordingStart, $0.duration) = (2.5, 10)
            })
        #expect(
            plan.description == """
                input    test, the first 10 s
                pictures H.264 by x264
                pictures s: HEVC by x265
                sound    tone
                pace     as the input's times say
                to       rtmp://h/mytv/…, FLV
                to       out.mp4, fragmented MP4
                to       live/, segments of fragmented MP4 and their play list
                record   s=r.mkv, Matroska, from the first sync frame from 2.5 s on

                """)
    }
}
