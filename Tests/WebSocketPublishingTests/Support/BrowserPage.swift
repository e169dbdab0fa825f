// SPDX-License-Identifier: MIT

#if WebSocket
    import FoundationEssentials
    import TestSupport

    /// A page in Debian's Chromium, which is looked at and used by its DevTools protocol.
    struct BrowserPage {
        /// A method of the protocol with its parameters as JSON.
        typealias Step = (method: String, parameters: String)

        /// The browser.
        let program: PeerProgram
        private let port: Int

        /// Sends what standard input says, and prints the results, a line each.
        private static let script = """
            import asyncio, json, sys, urllib.request
            import websockets
            async def main():
                pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/json"))
                address = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
                async with websockets.connect(address, max_size=None) as peer:
                    for number, (method, parameters) in enumerate(json.load(sys.stdin)):
                        await peer.send(json.dumps({"id": number, "method": method, "params": parameters}))
                        while True:
                            answer = json.loads(await peer.recv())
                            if answer.get("id") == number: break
                        print(json.dumps(answer.get("result", answer)))
            asyncio.run(main())
            """

        /// Opens a page.
        init(_ address: String, _ options: [String] = [], in folder: TemporaryDirectory) throws {
            let port = freePort()
            self.port = port
            program = try PeerProgram(
                "chromium",
                [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder.path("profile"),
                    "--autoplay-policy=no-user-gesture-required", "--remote-debugging-port=\(port)",
                ] + options + [address], log: folder.path("chromium.log"))
        }

        /// Calls methods of the protocol, one after the other, in one session.
        ///
        /// - Parameter steps: What is called.
        /// - Returns: What each gives, as JSON.
        /// - Throws: Where the browser does not answer.
        func call(_ steps: [Step]) async throws -> [String] {
            let input = steps.map { "[\"\($0.method)\", \($0.parameters)]" }.joined(separator: ", ")
            let output = try await PythonPeer.python.run(
                ["-c", Self.script, "\(port)"], input: Array("[\(input)]".utf8))
            return output.text.split(separator: "\n").map(String.init)
        }

        /// The step that gives the value of an expression, which may be a promise.
        static func evaluating(_ expression: String) throws -> Step {
            let text = String(decoding: try JSONEncoder().encode(expression), as: UTF8.self)
            let parameters = "{\"expression\": \(text), \"returnByValue\": true, \"awaitPromise\": true}"
            return ("Runtime.evaluate", parameters)
        }

        /// The value in what an evaluating step gave.
        static func value<Value: Decodable>(_ result: String) throws -> Value {
            try JSONDecoder().decode(Evaluation<Value>.self, from: Data(result.utf8)).result.value
        }

        /// The value of an expression.
        func evaluate<Value: Decodable>(_ expression: String) async throws -> Value {
            try Self.value(try await call([try Self.evaluating(expression)])[0])
        }
    }

    /// What an evaluating step gives.
    private struct Evaluation<Value: Decodable>: Decodable {
        struct Object: Decodable { var value: Value }
        var result: Object
    }
#endif
