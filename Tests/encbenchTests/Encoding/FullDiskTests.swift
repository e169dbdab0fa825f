// SPDX-License-Identifier: MIT

import CommandOptions
import FoundationEssentials
import MediaFiles
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct FullDiskTests {
    @Test("when the disk is full the older report stays, nothing else is left, and the command says so", .limitsFiles)
    func fullDisk() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write(CommandLineTool.y4m(frames: 3), to: "in.y4m")
            try folder.write(Array("old".utf8), to: "r.json")
            // Files over 1 KiB are refused as a full disk refuses them.
            let script = """
                cd '\(folder.path)'; trap '' XFSZ; ulimit -f 1
                '\(CommandLineTool.encbench.name)' compare in.y4m --rounds 0 --encoder x264 --qp 30 --json r.json
                """
            let error = await #expect(throws: ExternalProgramError.self) {
                try await ExternalProgram("bash").run(["-c", script])
            }
            let message = error?.standardError ?? ""
            // The file as it was named, and not the passing name under which its bytes were written.
            #expect(error?.reason == "exited(1)" && message.contains("error: r.json: cannot write: "), "\(message)")
            #expect(try folder.read("r.json") == Array("old".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["in.y4m", "r.json"])
        }
    }
}
