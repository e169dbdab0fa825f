// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

@Suite struct VAAPIBackendTests {
    @Test("a machine without a GPU gets told so, and what to do in a container")
    func noDevice() {
        let error = #expect(throws: EncoderError.self) { try VAAPIBackend(directory: "/nonexistent").listEncoders() }
        #expect(error?.code == .noEncoder)
        #expect(error?.reason.contains("/nonexistent has no render node") == true)
    }

    @Test("nodes come in the order of their numbers, and other files do not count")
    func nodes() async throws {
        try await withTemporaryDirectory { folder in
            for name in ["renderD129", "renderD1000", "renderD128", "card0", "renderDx"] {
                _ = try folder.write([], to: name)
            }
            let nodes = RenderNode.all(in: folder.path(""))
            let names = nodes.map { $0.path.split(separator: "/").last.map(String.init) }
            #expect(names == ["renderD128", "renderD129", "renderD1000"])
        }
    }

    @Test("a node that is no device is an error that names it, not a crash")
    func noDriver() async throws {
        try await withTemporaryDirectory { folder in
            _ = try folder.write([], to: "renderD128")
            let directory = folder.path("")
            let error = #expect(throws: EncoderError.self) { try VAAPIBackend(directory: directory).listEncoders() }
            #expect(error?.code == .backendFailure)
            #expect(error?.reason.contains("renderD128") == true)
        }
    }
}
