// SPDX-License-Identifier: MIT

import WebSocketPublishing

@main enum LeanServer {
    static func main() async throws {
        let server = try WebSocketServer()
        print(try await server.start() > 0 ? "serves" : "")
        await server.stop()
    }
}
