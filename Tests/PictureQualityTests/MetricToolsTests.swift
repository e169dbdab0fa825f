// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import TestSupport
import Testing

@testable import PictureQuality

/// Programs that are no ffmpeg, or none with the filter.
@Suite struct MetricToolsTests {
    /// A program that says it is ffmpeg, and does what the script says with pictures.
    private func tools(_ script: String, _ folder: TemporaryDirectory) async throws -> MetricTools {
        let path = try folder.write(
            Array(
                "#!/bin/sh\ncase \"$*\" in *-version*) echo ffmpeg version 99 of tests; exit;; esac\n\(script)\n".utf8),
            to: "ffmpeg")
        try await ExternalProgram("chmod").run(["+x", path])
        return MetricTools(["ffmpeg": path])
    }

    @Test(
        "what an ffmpeg lacks or prints instead is said, and how to get one that does",
        arguments: [
            ("cat > /dev/null; echo rubbish", "printed something else than libvmaf does: no log of libvmaf"),
            ("echo \"No such filter: 'libvmaf'\" >&2; exit 1", "ended with status 1: No such filter: 'libvmaf'"),
            ("cat > /dev/null", "printed something else than libvmaf does"),
            (
                #"cat > /dev/null; echo '{"version": "1", "frames": []}'"#,
                "values of 0 pictures for 1"
            ),
            (
                #"cat > /dev/null; echo '{"version": "1", "frames": [{"frameNum": 3, "metrics": {"vmaf": 1}}]}'"#,
                "libvmaf left pictures out"
            ),
        ])
    func otherPrograms(script: String, message: String) async throws {
        try await withTemporaryDirectory { folder in
            let tools = try await tools(script, folder)
            let error = #expect(throws: CommandFailure.self) { try tools.maker(of: .vmaf) }
            let text = error?.description ?? ""
            #expect(text.contains(message) && text.contains("--ffmpeg or ENCBENCH_FFMPEG"), "\(text)")
        }
    }

    @Test("pictures are scaled to the rows of a metric's model where that is asked, which its maker says")
    func scale() async throws {
        try await withTemporaryDirectory { folder in
            let vmaf =
                "echo \"$*\" >> '\(folder.path("words"))'; cat > /dev/null; "
                + #"echo '{"version": "7", "frames": [{"frameNum": 0, "metrics": {"vmaf": 1}}]}'"#
            var tools = try await tools(vmaf, folder)
            let plain = try tools.maker(of: .vmaf)
            #expect(!String(decoding: try folder.read("words"), as: UTF8.self).contains("scale="))
            tools.scalesPictures = true
            let scaled = try tools.maker(of: .vmaf)
            #expect(scaled == plain + ", scaled to 1080 rows" && MetricTools.isScaled(scaled))
            let words = String(decoding: try folder.read("words"), as: UTF8.self)
            #expect(
                words.matches(of: #/crop=512:288:0:\d+:exact=1,scale=-2:1080:flags=bicubic/#).count == 2, "\(words)")
            // Whoever runs a planned point does as the plan says.
            #expect(MetricTools(["ffmpeg": tools.ffmpeg]).scaling(as: ["vmaf": scaled]).scalesPictures)
            #expect(!tools.scaling(as: ["vmaf": plain]).scalesPictures)
            #expect(throws: Never.self) { try tools.check(["vmaf": scaled]) }
            #expect(throws: CommandFailure.self) { try tools.check(["vmaf": plain]) }
            #expect(tools.rows(for: .xpsnr) == nil && tools.rows(for: .vmafNoEnhancementGain) == 1080)
        }
    }

    @Test("VMAF v1 is measured before VMAF where the library has its model, and never twice")
    func newer() async throws {
        try await withTemporaryDirectory { folder in
            let answer = #"echo '{"version": "7", "frames": [{"frameNum": 0, "metrics": {"vmaf": 1}}]}'"#
            let words = "echo \"$*\" >> '\(folder.path("words"))'; cat > /dev/null; "
            var tools = try await tools(words + answer, folder)
            #expect([Metric.vmaf, .xpsnr].withNewer(tools) == [.vmafV1, .vmaf, .xpsnr])
            #expect([Metric.squaredError, .vmaf, .vmafV1].withNewer(tools) == [.squaredError, .vmaf, .vmafV1])
            #expect([Metric.xpsnr].withNewer(tools) == [.xpsnr])
            // Some clip is too small for it, which has no headline then, unless it was asked for.
            let measured = [Metric.vmafV1, .vmaf, .xpsnr]
            #expect(measured.ordered(askedFor: [.vmaf, .xpsnr], sides: [720, 144]) == [.vmaf, .xpsnr, .vmafV1])
            #expect(measured.ordered(askedFor: [.vmaf, .xpsnr], sides: [720]) == measured)
            #expect(measured.ordered(askedFor: measured, sides: [144]) == measured)
            // A picture of eight bits is given with ten, before it is scaled.
            tools.scalesPictures = true
            let maker = try tools.maker(of: .vmafV1UltraHD)
            #expect(
                maker == "libvmaf 7, vmaf_v1.0.16_1d5h_2160, ffmpeg 99, at 10 bits or more, scaled to 2160 rows")
            let said = String(decoding: try folder.read("words"), as: UTF8.self)
            let graph = #/exact=1,format=yuv420p10le,scale=-2:2160:flags=bicubic/#
            #expect(said.matches(of: graph).count == 2, "\(said)")
            // An older library says that it has no such model.
            let older = try await self.tools(
                "case \"$*\" in *vmaf_v1*) echo 'could not load libvmaf model' >&2; exit 1;; esac; cat > /dev/null; "
                    + answer, folder)
            #expect([Metric.vmaf].withNewer(older) == [.vmaf])
        }
    }

    @Test("pictures that a model is too large for have no values, and no program is started for them")
    func small() throws {
        let tools = MetricTools(["ffmpeg": "/no/ffmpeg"])
        let input = MeterInput(width: 352, height: 144, bitDepth: 8, frameRate: 25)
        let meter = try Metric.vmafV1.meter(input, tools: tools)
        let gray = PixelBuffer(try MutablePixelBuffer(format: .i420, width: 352, height: 144))
        try meter.add(try PicturePair(source: gray, decoded: gray))
        #expect(try meter.finish() == [[nil]])
        for (metric, tools) in [
            (Metric.vmaf, tools), (.vmafV1, MetricTools(["ffmpeg": "/no/ffmpeg"], scalesPictures: true)),
        ] {
            #expect(throws: CommandFailure.self) { try metric.meter(input, tools: tools) }
        }
    }

    @Test("a filter that answers as it should is named with the version of its program")
    func maker() async throws {
        try await withTemporaryDirectory { folder in
            let vmaf = #"cat > /dev/null; echo '{"version": "7", "frames": [{"frameNum": 0, "metrics": {"vmaf": 1}}]}'"#
            #expect(try await tools(vmaf, folder).maker(of: .vmaf) == "libvmaf 7, vmaf_v0.6.1, ffmpeg 99")
            let xpsnr = "cat > /dev/null; echo 'n:    1  XPSNR y: inf  XPSNR u: 1.5  XPSNR v: 2'"
            #expect(try await tools(xpsnr, folder).maker(of: .xpsnr) == "ffmpeg 99")
            for line in ["n:    2  XPSNR y: 1  XPSNR u: 1  XPSNR v: 2", "n:    1  XPSNR y: 1  XPSNR u: 1", "n:"] {
                let tools = try await tools("cat > /dev/null; echo '\(line)'", folder)
                #expect(throws: CommandFailure.self) { try tools.maker(of: .xpsnr) }
            }
        }
    }
}
