// SPDX-License-Identifier: MIT

import Foundation
import Publishing
import TestSupport
import Testing

@Suite(.requiresProgram(.ffmpeg)) struct RemovedFileTests {
    @Test("a file that is removed while it is written has failed, with how much is lost; one that is renamed has not")
    func removed() async throws {
        try await withTemporaryDirectory { folder in
            let stream = try await TestStream.make(seconds: 1, in: folder)
            let paths = ["gone.ts", "moved.ts", "stays.ts"].map(folder.path)
            let broadcast = try Broadcast(
                tracks: [.video, .audio], outputs: paths.map { path in try .file(path) })
            for packet in stream.packets { try await broadcast.send(packet) }
            #expect(await eventually { paths.allSatisfy { FileManager.default.fileExists(atPath: $0) } })
            try FileManager.default.removeItem(atPath: paths[0])
            try FileManager.default.moveItem(atPath: paths[1], toPath: folder.path("elsewhere.ts"))
            await broadcast.finish()
            let states = broadcast.statistics.sorted { $0.key < $1.key }.map(\.value.state)
            guard case .failed(let error) = states[0] else {
                Issue.record("\(states[0])")
                return
            }
            #expect(error.code == .writeFailed && error.reason.contains("removed"), "\(error)")
            #expect(states[1...] == [.ended, .ended])
        }
    }
}
