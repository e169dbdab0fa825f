// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Testing

/// A peer of WebSocket that others made: Python's `websockets`, or `aiohttp`.
public struct PythonPeer: Sendable {
    /// What it is made with.
    public enum Library: String, Sendable {
        /// https://websockets.readthedocs.io
        case websockets
        /// https://docs.aiohttp.org
        case aiohttp
        /// The same as PyPI has it, years newer than Debian's.
        case newerAIOHTTP = "aiohttp of PyPI"

        /// Those of Debian.
        public static let debian: [Library] = [.websockets, .aiohttp]

        fileprivate var module: String { self == .websockets ? "websockets" : "aiohttp" }
        fileprivate var python: ExternalProgram { self == .newerAIOHTTP ? PythonPeer.newerPython : PythonPeer.python }
    }

    /// A message that a peer kept.
    public struct Message: Equatable, Sendable {
        /// Whether it is binary; else it is text.
        public var isBinary: Bool
        /// All its bytes.
        public var bytes: [UInt8]

        /// Puts a message together.
        public init(isBinary: Bool = true, bytes: [UInt8]) { (self.isBinary, self.bytes) = (isBinary, bytes) }
    }

    /// Debian's, which has the libraries.
    public static let python = ExternalProgram("/usr/bin/python3")
    /// Where `dev/setup peers` puts what PyPI has.
    fileprivate static let newerPython = ExternalProgram(
        "\(#filePath[..<(#filePath.ranges(of: "/Tests/").last?.lowerBound ?? #filePath.endIndex)])"
            + "/.build/newer-aiohttp/bin/python")
    private static let file = "messages"

    /// Ends with the test.
    public let program: PeerProgram
    private let folder: TemporaryDirectory

    /// Starts a peer.
    ///
    /// - Parameters:
    ///   - library: Which.
    ///   - mode: `serve` at a port, or `watch` or `publish` an address.
    ///   - place: The port or the address.
    ///   - more: What `serve` closes with after the first message; for the others, of `wss://`, the issuers to trust.
    ///   - folder: For what came, and the log.
    /// - Throws: Where it cannot be started.
    public init(
        _ library: Library, _ mode: String, _ place: String, _ more: [String] = [], in folder: TemporaryDirectory
    ) throws {
        self.folder = folder
        program = try PeerProgram(
            library.python, ["-c", Self.script, mode, library.module, place, folder.path(Self.file)] + more,
            log: folder.path("\(mode).log"))
    }

    /// Starts a server, and waits until it listens.
    ///
    /// - Parameters:
    ///   - library: Which.
    ///   - port: Of 127.0.0.1.
    ///   - code: What it closes with after the first message; nil to take all.
    ///   - folder: For what came, and the log.
    /// - Returns: The server.
    /// - Throws: Where it does not start.
    public static func server(
        _ library: Library, at port: Int, closingWith code: Int? = nil, in folder: TemporaryDirectory
    ) async throws -> PythonPeer {
        let peer = try PythonPeer(library, "serve", "\(port)", code.map { ["\($0)"] } ?? [], in: folder)
        let listens = await eventually { isListened(at: port) }
        try #require(listens, "\(peer.program.output)")
        return peer
    }

    /// Leaves messages for `publish` in a folder.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - folder: The folder.
    /// - Throws: What the file system reports.
    public static func write(_ messages: [[UInt8]], in folder: TemporaryDirectory) throws {
        var bytes: [UInt8] = []
        for message in messages {
            bytes.append(1)
            bytes += withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) }
            bytes += message
        }
        try folder.write(bytes, to: file)
    }

    /// The messages that came.
    ///
    /// - Returns: All up to now.
    /// - Throws: What the file system reports.
    public func messages() throws -> [Message] {
        var rest = try folder.read(Self.file)[...]
        var messages: [Message] = []
        while rest.count >= 5 {
            let head = rest.prefix(5)
            let count = head.dropFirst().reduce(0) { (count: Int, byte: UInt8) -> Int in count << 8 | Int(byte) }
            messages.append(Message(isBinary: head.first == 1, bytes: Array(rest.dropFirst(5).prefix(count))))
            rest = rest.dropFirst(5 + count)
        }
        return messages
    }

    /// Whether it has told the code that a connection was closed with.
    public func toldClosing(_ code: Int) -> Bool { program.output.split(separator: "\n").contains("closed \(code)") }

    /// Keeps each message behind a byte for its kind and four for its length; tells what a connection was closed with.
    private static let script = """
        import asyncio, struct, sys, ssl
        mode, library, place, path = sys.argv[1:5]
        code = int(sys.argv[5]) if mode == "serve" and len(sys.argv) > 5 else None

        def keep(file, message):
            data = message.encode() if isinstance(message, str) else message
            file.write(bytes([not isinstance(message, str)]) + struct.pack(">I", len(data)) + data)
            file.flush()

        def kept():
            data, place = open(path, "rb").read(), 0
            while place < len(data):
                size = struct.unpack(">I", data[place + 1:place + 5])[0]
                yield data[place + 5:place + 5 + size]
                place += 5 + size

        class Ends:
            # A viewer closes when as many tracks have ended as had a format.
            def __init__(self): self.formats, self.ends = set(), set()
            def take(self, message):
                (self.formats if message[1] == 1 else self.ends if message[1] == 3 else set()).add(message[2])
                return bool(self.formats) and self.formats == self.ends

        def told(code): print("closed", code, flush=True)

        async def with_websockets():
            import websockets
            async def handle(peer):
                await peer.send("welcome")
                with open(path, "ab") as file:
                    async for message in peer:
                        keep(file, message)
                        if code: await peer.close(code)
                told(peer.close_code)
            if mode == "serve":
                async with websockets.serve(handle, "127.0.0.1", int(place), max_size=None): await asyncio.Future()
            trust = ssl.create_default_context(cafile=sys.argv[5]) if len(sys.argv) > 5 else None
            async with websockets.connect(place, max_size=None, ssl=trust) as peer:
                if mode == "publish":
                    for message in kept(): await peer.send(message)
                    await peer.close()
                else:
                    ends = Ends()
                    with open(path, "ab") as file:
                        async for message in peer:
                            keep(file, message)
                            if ends.take(message): await peer.close()
                told(peer.close_code)

        async def with_aiohttp():
            import aiohttp
            from aiohttp import web
            async def handle(request):
                peer = web.WebSocketResponse(max_msg_size=0)
                await peer.prepare(request)
                await peer.send_str("welcome")
                with open(path, "ab") as file:
                    async for message in peer:
                        keep(file, message.data)
                        if code: await peer.close(code=code)
                told(peer.close_code)
                return peer
            if mode == "serve":
                app = web.Application()
                app.router.add_get("/{path:.*}", handle)
                runner = web.AppRunner(app)
                await runner.setup()
                await web.TCPSite(runner, "127.0.0.1", int(place)).start()
                await asyncio.Future()
            trust = ssl.create_default_context(cafile=sys.argv[5]) if len(sys.argv) > 5 else None
            async with aiohttp.ClientSession() as session:
                async with session.ws_connect(place, max_msg_size=0, ssl=trust) as peer:
                    if mode == "publish":
                        for message in kept(): await peer.send_bytes(message)
                        await peer.close()
                    else:
                        ends = Ends()
                        with open(path, "ab") as file:
                            async for message in peer:
                                keep(file, message.data)
                                if ends.take(message.data): await peer.close()
                    told(peer.close_code)

        asyncio.run(with_aiohttp() if library == "aiohttp" else with_websockets())
        """
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, where Debian's Python has no libraries of WebSocket.
    public static var requiresPythonPeers: Self {
        let modules = "/usr/lib/python3/dist-packages/"
        let isThere =
            PythonPeer.python.isAvailable
            && PythonPeer.Library.debian.allSatisfy { FileManager.default.fileExists(atPath: modules + $0.rawValue) }
        return .enabled(
            if: isThere,
            "SKIPPED, needs programs: python3-websockets and python3-aiohttp are not installed (dev/setup peers)")
    }
    /// Skips the test, saying so, where PyPI's aiohttp is not installed.
    public static var requiresNewerAIOHTTP: Self {
        .enabled(
            if: PythonPeer.newerPython.isAvailable,
            "SKIPPED, needs programs: PyPI's aiohttp is not installed (dev/setup peers)")
    }
}
