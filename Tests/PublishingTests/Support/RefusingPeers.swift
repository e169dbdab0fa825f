// SPDX-License-Identifier: MIT

import TestSupport

/// Servers that refuse a publisher in words or numbers which no packaged server is known to use; in Python.
enum RefusingPeers {
    static let python = ExternalProgram("python3")

    /// A server of RTMP that takes the handshake, and then refuses by a command.
    ///
    /// - Parameters:
    ///   - command: What it refuses, "connect" or "publish"; "reset" to take the stream and reset the connection later.
    ///   - words: What it says; for "reset" after how many bytes.
    ///   - port: Where it listens.
    ///   - folder: For the program and its log.
    /// - Returns: The server, which may not listen yet.
    /// - Throws: Where it cannot be started.
    static func startRTMP(
        refusing command: String, saying words: String, port: Int, in folder: TemporaryDirectory
    ) throws -> PeerProgram {
        let path = try folder.write(Array(rtmp.utf8), to: "rtmp.py")
        return try PeerProgram(python, [path, "\(port)", command, words], log: folder.path("rtmp.log"))
    }

    /// A listener of SRT that refuses each stream id with a number, but takes "right".
    static func startSRT(reason: Int, port: Int, in folder: TemporaryDirectory) throws -> PeerProgram {
        let path = try folder.write(Array(srt.utf8), to: "srt.py")
        return try PeerProgram(python, [path, "\(port)", "\(reason)"], log: folder.path("srt.log"))
    }

    private static let rtmp = """
        import socket, struct, sys

        port, refused, words = int(sys.argv[1]), sys.argv[2], sys.argv[3]

        def string(text):
            return b"\\x02" + struct.pack(">H", len(text)) + text.encode()

        def number(value):
            return b"\\x00" + struct.pack(">d", value)

        def properties(level, code):
            pairs = {"level": level, "code": code, "description": words}
            named = b"".join(struct.pack(">H", len(key)) + key.encode() + string(value) for key, value in pairs.items())
            return b"\\x03" + named + b"\\x00\\x00\\x09"

        def message(body, stream=0):
            head = b"\\x03\\x00\\x00\\x00" + len(body).to_bytes(3, "big") + b"\\x14" + struct.pack("<I", stream)
            return head + b"\\xc3".join(body[i:i + 128] for i in range(0, len(body), 128))

        def exactly(connection, count):
            data = b""
            while len(data) < count:
                part = connection.recv(count - len(data))
                if not part:
                    raise EOFError
                data += part
            return data

        def serve(connection):
            hello = exactly(connection, 1537)
            connection.sendall(b"\\x03" + bytes(1536) + hello[1:])
            exactly(connection, 1536)
            data, answered, count = b"", set(), 0
            while True:
                part = connection.recv(4096)
                if not part:
                    return
                count += len(part)
                if refused == "reset" and count > int(words):
                    # Closing without lingering resets the connection.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                data = data + part if len(data) < 10000 else data
                for name in ["connect", "createStream", "publish"]:
                    place = data.find(string(name))
                    if place < 0 or name in answered or len(data) < place + len(name) + 12:
                        continue
                    answered.add(name)
                    start = place + len(name) + 4
                    transaction = struct.unpack(">d", data[start:start + 8])[0]
                    if name == refused == "connect":
                        answer = string("_error") + number(transaction) + b"\\x05"
                        connection.sendall(message(answer + properties("error", "NetConnection.Connect.Rejected")))
                    elif name == "connect":
                        answer = string("_result") + number(transaction) + b"\\x05"
                        connection.sendall(message(answer + properties("status", "NetConnection.Connect.Success")))
                    elif name == "createStream":
                        connection.sendall(message(string("_result") + number(transaction) + b"\\x05" + number(1)))
                    else:
                        answer = string("onStatus") + number(0) + b"\\x05"
                        kinds = {True: ("error", "Rejected"), False: ("status", "Start")}
                        level, code = kinds[refused == "publish"]
                        connection.sendall(message(answer + properties(level, "NetStream.Publish." + code), 1))

        with socket.create_server(("127.0.0.1", port)) as server:
            while True:
                connection, _ = server.accept()
                with connection:
                    try:
                        serve(connection)
                    except OSError:
                        pass
                    except EOFError:
                        pass

        """

    private static let srt = """
        import ctypes, socket, struct, sys

        port, reason = int(sys.argv[1]), int(sys.argv[2])
        names = ["libsrt-gnutls.so.1.5", "libsrt.so.1.5", "libsrt-openssl.so.1.5"]
        for name in names:
            try:
                srt = ctypes.CDLL(name)
                break
            except OSError:
                pass

        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
        def judge(owner, caller, version, address, stream):
            if stream == b"right":
                return 0
            srt.srt_setrejectreason(caller, reason)
            return -1

        srt.srt_startup()
        listener = srt.srt_create_socket()
        address = struct.pack("=H", socket.AF_INET) + struct.pack(">H", port) + bytes([127, 0, 0, 1]) + bytes(8)
        srt.srt_bind(listener, address, len(address))
        srt.srt_listen_callback(listener, judge, None)
        srt.srt_listen(listener, 8)
        while True:
            srt.srt_accept(listener, None, None)

        """
}
