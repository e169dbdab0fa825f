// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// What is lost where libswresample does not fit: nothing but the conversion of rates.
@Suite(.requiresProgram("gcc", "env")) struct WithoutResamplingTests {
    /// A library of the name that the loader refuses as too old; libavcodec, which needs the name, is content.
    private static let library = """
        #define F(name) void name(void) { __builtin_trap(); }
        F(swr_alloc) F(swr_alloc_set_opts) F(swr_alloc_set_opts2) F(swr_close) F(swr_convert) F(swr_free) F(swr_get_delay)
        F(swr_get_out_samples) F(swr_init) F(swr_is_initialized) F(swr_set_compensation)
        unsigned swresample_version(void) { return MAJOR << 16; }

        """

    @Test("with a libswresample that is too old, sound of the encoder's rate is encoded, and other rates are refused")
    func tooOld() async throws {
        try await withTemporaryDirectory { folder in
            let source = try folder.write(Array(Self.library.utf8), to: "swr.c")
            // The name that this machine's libavcodec asks for.
            let needed = try await ExternalProgram("sh").run([
                "-c", "ldconfig -p | sed -n 's/.*\\(libswresample\\.so\\.[0-9]*\\) .*/\\1/p' | head -n 1",
            ]).text.split(separator: "\n").first.map(String.init)
            let name = try #require(needed)
            let major = try #require(name.split(separator: ".").last)
            let versions = try folder.write(Array("LIBSWRESAMPLE_\(major) { global: *; };\n".utf8), to: "versions")
            try await ExternalProgram("gcc").run([
                "-shared", "-fPIC", "-DMAJOR=\(major)", "-Wl,-soname,\(name),--version-script=\(versions)", "-o",
                folder.path(name), source,
            ])
            let program = try #require(ExternalProgram.publishProbe.path)
            let output = try await ExternalProgram("env").run([
                "LD_LIBRARY_PATH=\(folder.path)", program, "sound",
            ])
            let lines = output.text.split(separator: "\n")
            try #require(lines.count == 3, "\(output.text)")
            #expect(lines[0].hasPrefix("48000 Hz: ") && lines[0].hasSuffix(" packets"))
            #expect(lines[1].hasPrefix("48000 Hz with a gap: ") && lines[1].hasSuffix(" packets"))
            #expect(lines[2].hasPrefix("44100 Hz: libraryMissing") && lines[2].contains(name), "\(lines[2])")
        }
    }

    @Test("with the machine's own libswresample, other rates are converted")
    func usual() async throws {
        let output = try await ExternalProgram.publishProbe.run(["sound"])
        let lines = output.text.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix(" packets") }, "\(output.text)")
    }
}
