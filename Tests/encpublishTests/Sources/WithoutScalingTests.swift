// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// What is lost where libswscale does not fit: nothing but inputs that must be converted.
@Suite struct WithoutScalingTests {
    @Test(
        "with a libswscale that is too old, inputs of 4:2:0 are encoded and copied, others are refused by its name",
        .requiresProgram("gcc", "env", "ffmpeg"))
    func tooOld() async throws {
        try await withTemporaryDirectory { folder in
            let needed = try await ExternalProgram("sh").run([
                "-c", "ldconfig -p | sed -n 's/.*\\(libswscale\\.so\\.[0-9]*\\) .*/\\1/p' | head -n 1",
            ]).text.split(separator: "\n").first.map(String.init)
            let name = try #require(needed)
            let major = try #require(name.split(separator: ".").last)
            let source = try folder.write(
                Array("unsigned swscale_version(void) { return \(major) << 16; }\n".utf8), to: "sws.c")
            try await ExternalProgram("gcc").run(["-shared", "-fPIC", "-o", folder.path(name), source])
            func run(_ arguments: [String]) async throws {
                try await ExternalProgram("env").run(
                    ["LD_LIBRARY_PATH=\(folder.path)", PublishProgram.path] + arguments + ["--duration", "1"])
            }
            let clip = folder.path("a.mkv")
            try await run(["test", "--size", "160x96", "--preset", "ultrafast", "--to", clip])
            try await run([clip, "--preset", "ultrafast", "--to", folder.path("b.mp4")])
            try await run([clip, "--copy", "--to", folder.path("c.ts")])
            let other = folder.path("422.mkv")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x96:d=1", "-pix_fmt", "yuv422p", "-c:v", "ffv1",
                other,
            ])
            let error = await #expect(throws: ExternalProgramError.self) {
                try await run([other, "--to", folder.path("d.mp4")])
            }
            #expect(error?.standardError.contains(name) == true, "\(String(describing: error))")
        }
    }
}
