// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import TestSupport
import Testing

@testable import encbench

/// Programs that are no ffmpeg, or none with the filter.
@Suite struct MetricToolsTests {
    /// A program that says it is ffmpeg, and does what the script says with pictures.
    private func tools(_ script: String, _ folder: TemporaryDirectory) async throws -> MetricTools {
        let path = try folder.write(
            Array(
                "#!/bin/sh\ncase \"$*\" in *-version*) echo ffmpeg version 99 of tests; exit;; esac\n\(script)\n".utf8),
            to: "ffmpeg")
        try await ExternalProgram("chmod").run(["+x", path])
        return MetricTools(ffmpeg: path)
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

    @Test("without the program a comparison by VMAF ends at once, and names what is missing")
    func command() async throws {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["compare", "--metric", "psnr,vmaf", "--ffmpeg", "/no/ffmpeg"])
        }
        let text = error?.standardError ?? ""
        #expect(text.contains("vmaf needs an ffmpeg with the filter libvmaf, which '/no/ffmpeg' is not"), "\(text)")
        #expect(text.contains("No such file or directory") && text.contains("pip install imageio-ffmpeg"), "\(text)")
    }

    @Test("an ffmpeg that dies in the middle of a clip ends the point with its last words, and the others are measured")
    func death() async throws {
        try await withTemporaryDirectory { folder in
            let count = "$(head -c 1000000 | wc -c)"
            let tools = try await tools(
                "[ \(count) -gt 60000 ] && { echo 'I am dying' >&2; exit 9; }\n"
                    + "echo 'n:    1  XPSNR y: inf  XPSNR u: 1.5  XPSNR v: 2'",
                folder)
            let input = try folder.write(CommandLineTool.y4m(frames: 12, width: 96), to: "in.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    [
                        "compare", input, "--encoder", "x264", "--preset", "ultrafast", "--qp", "30", "--metric",
                        "psnr,xpsnr", "--ffmpeg", tools.ffmpeg,
                    ])
            }
            #expect(
                error?.standardError.contains("ended with status 9: I am dying") == true,
                "\(error?.standardError ?? "")")
        }
    }
}
