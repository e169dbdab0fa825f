// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// Commands whose metrics need a program.
@Suite struct MetricCommandTests {
    @Test("without the program a comparison by VMAF ends at once, and names what is missing")
    func command() async throws {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["compare", "--metric", "psnr,vmaf", "--ffmpeg", "/no/ffmpeg"])
        }
        let text = error?.standardError ?? ""
        #expect(text.contains("vmaf needs an ffmpeg with the filter libvmaf, which '/no/ffmpeg' is not"), "\(text)")
        #expect(text.contains("No such file or directory") && text.contains("pip install imageio-ffmpeg"), "\(text)")
        // As README has it, for a shell to take.
        let option = #"--ffmpeg "$(python3 -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')""#
        let readme = try SourceFiles.page("../../README.md")
        #expect(text.contains(option) && readme.contains(option), "\(text)")
    }

    @Test("an ffmpeg that dies in the middle of a clip ends the point with its last words, and the others are measured")
    func death() async throws {
        try await withTemporaryDirectory { folder in
            let count = "$(head -c 1000000 | wc -c)"
            let ffmpeg = try folder.write(
                Array(
                    """
                    #!/bin/sh
                    case "$*" in *-version*) echo ffmpeg version 99 of tests; exit;; esac
                    [ \(count) -gt 60000 ] && { echo 'I am dying' >&2; exit 9; }
                    echo 'n:    1  XPSNR y: inf  XPSNR u: 1.5  XPSNR v: 2'

                    """.utf8), to: "ffmpeg")
            try await ExternalProgram("chmod").run(["+x", ffmpeg])
            let input = try folder.write(CommandLineTool.y4m(frames: 12, width: 96), to: "in.y4m")
            let error = await #expect(throws: ExternalProgramError.self) {
                try await CommandLineTool.encbench.run(
                    [
                        "compare", input, "--encoder", "x264", "--preset", "ultrafast", "--qp", "30", "--rounds", "0",
                        "--metric",
                        "psnr,xpsnr", "--ffmpeg", ffmpeg,
                    ])
            }
            #expect(
                error?.standardError.contains("ended with status 9: I am dying") == true,
                "\(error?.standardError ?? "")")
        }
    }
}
