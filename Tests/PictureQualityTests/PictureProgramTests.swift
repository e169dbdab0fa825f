// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import TestSupport
import Testing

@testable import PictureQuality

/// Programs that are given two pictures and print a number.
@Suite struct PictureProgramTests {
    private let program = PictureProgram(name: "tool", range: -50...100, source: "nobody has one")
    private let input = MeterInput(width: 33, height: 17, bitDepth: 8, frameRate: 25)

    /// A picture of one luma, larger than the input where it is padded.
    private func picture(_ luma: UInt8, padding: Int = 0) throws -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: .i420, width: 33 + padding, height: 17 + padding)
        for plane in 0..<3 {
            picture.withMutablePlane(plane) { bytes, _ in
                for place in bytes.indices { bytes[place] = plane == 0 ? luma : 128 }
            }
        }
        return PixelBuffer(picture)
    }

    private func script(_ text: String, in folder: TemporaryDirectory) async throws -> String {
        let path = try folder.write(Array("#!/bin/sh\n\(text)\n".utf8), to: "a tool")
        try await ExternalProgram("chmod").run(["+x", path])
        return path
    }

    @Test("each pair is two PNG files of the source's size, the original first, and nothing is left of them")
    func files() async throws {
        try await withTemporaryDirectory { folder in
            let log = folder.path("log")
            let path = try await script(
                "dd if=\"$1\" of='\(log).1' status=none; dd if=\"$2\" of='\(log).2' status=none\n"
                    + "dirname \"$1\" >> '\(log)'; echo 'Score: 81.25'", in: folder)
            let pair = try PicturePair(source: try picture(40), decoded: try picture(200, padding: 3))
            do {
                let meter = try PictureProgramMeter(program, input, path: path)
                try meter.add(pair)
                try meter.add(pair)
                #expect(meter.finish() == [[81.25, 81.25]])
            }
            let (original, decoded) = (try folder.read("log.1"), try folder.read("log.2"))
            for file in [original, decoded] {
                #expect(Array(file[1...3]) == Array("PNG".utf8))
                // Width and height stand behind the name of the first chunk.
                #expect(Array(file[16..<24]) == [0, 0, 0, 33, 0, 0, 0, 17])
            }
            #expect(original != decoded)
            let used = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n")
            #expect(used.count == 2 && Set(used).count == 1)
            let remains = await #expect(throws: ExternalProgramError.self) {
                try await ExternalProgram("ls").run([String(used[0])])
            }
            #expect(remains != nil)
        }
    }

    @Test(
        "what a program prints or does instead of a number is told with the range",
        arguments: [
            ("true", "it printed '', expected a number of -50.0 to 100.0"),
            ("echo nan", "it printed 'nan"),
            ("echo 100.5", "it printed '100.5"),
            ("echo usage: tool one two", "it printed 'usage: tool"),
            ("echo 3; echo no colors >&2; exit 4", "ended with status 4: no colors"),
            ("exec tail -f /dev/null", "did not go on for"),
        ])
    func refusals(text: String, message: String) async throws {
        try await withTemporaryDirectory { folder in
            let path = try await script(text, in: folder)
            let meter = try PictureProgramMeter(program, input, path: path, patience: 0.5)
            let pair = try PicturePair(source: try picture(40), decoded: try picture(41))
            let error = #expect(throws: CommandFailure.self) { try meter.add(pair) }
            let told = error?.description ?? ""
            #expect(told.contains(message) && told.contains("a tool' as tool: "), "\(told)")
        }
    }

    @Test("of several words the last number counts, of any sign")
    func words() throws {
        #expect(try program.reading(Array("Score: 70.5\n".utf8)) == 70.5)
        #expect(try program.reading(Array("a.png b.png\n-12.25 (poor)\n".utf8)) == -12.25)
        #expect(try program.reading(Array("100.00000000\n".utf8)) == 100)
    }

    @Test("without the program the metric says how to get and to name one; its maker tells programs apart")
    func maker() async throws {
        let none = MetricTools(["ssimulacra2": "/no/such"])
        let error = #expect(throws: CommandFailure.self) { try none.maker(of: .ssimulacra2) }
        let told = error?.description ?? ""
        let program = "--metric-program ssimulacra2=PROGRAM or ENCBENCH_SSIMULACRA2"
        for words in ["'/no/such' as ssimulacra2", program, "pip install"] {
            #expect(told.contains(words), "\(told)")
        }
        try await withTemporaryDirectory { folder in
            let tools = MetricTools(["ssimulacra2": try await script("echo 12.5", in: folder)])
            let maker = try tools.maker(of: .ssimulacra2)
            #expect(maker == "ssimulacra2 that gives two pictures for trial 12.5")
            #expect(throws: Never.self) { try tools.check(["ssimulacra2": maker]) }
            #expect(throws: CommandFailure.self) { try tools.check(["ssimulacra2": maker + "1"]) }
        }
    }

    @Test("a real program puts equal pictures at 100 and worse ones below", .requiresProgram(.ssimulacra2))
    func real() throws {
        let tools = MetricTools(["ssimulacra2": ExternalProgram.ssimulacra2.name])
        let meter = try Metric.ssimulacra2.meter(input, tools: tools)
        let source = try picture(90)
        for other in [source, try picture(95), try picture(140)] {
            try meter.add(try PicturePair(source: source, decoded: other))
        }
        let values = try meter.finish()[0].compactMap { $0 }
        #expect(values.count == 3 && abs(values[0] - 100) < 0.001)
        #expect(values[1] < 100 && values[2] < values[1], "\(values)")
    }
}
