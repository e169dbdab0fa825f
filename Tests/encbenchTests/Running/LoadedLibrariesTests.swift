// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite struct LoadedLibrariesTests {
    @Test(
        "libraries for containers and connections are loaded for Matroska and not for Y4M, Foundation for neither",
        .requiresProgram(.ffmpeg))
    func loaded() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 3, width: 64, height: 64), to: "in.y4m")
            let file = folder.path("in.mkv")
            try await ExternalProgram.ffmpeg.run(["-v", "error", "-i", input, "-c:v", "ffv1", file])
            for (path, needsContainers) in [(input, false), (file, true)] {
                // The loader of the system tells what it opens.
                let loaded = try await ExternalProgram("env").run([
                    "LD_DEBUG=files", CommandLineTool.encbench.name, "compare", path, "--encoder", "x264", "--qp", "30",
                    "--rounds", "0",
                ]).standardError
                #expect(loaded.contains("file=libavcodec.so") && !loaded.contains("file=libFoundation.so"))
                #expect(loaded.contains("file=libavformat.so") == needsContainers)
            }
        }
    }
}
