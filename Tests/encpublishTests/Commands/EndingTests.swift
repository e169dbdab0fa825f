// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import encpublish

/// The built program where the user, a disk or a reader ends it early.
@Suite(.requiresProgram("bash", "ffmpeg", "ffprobe")) struct EndingTests {
    private static let quick = "--preset ultrafast --size 160x90 --frame-rate 25"

    /// Runs a script in a folder, in which `$1` is the program; what it prints.
    private func script(_ lines: String, _ arguments: [String] = [], in folder: TemporaryDirectory) async throws
        -> String
    {
        try await ExternalProgram("bash").run(
            ["-c", "cd \"$0\"; " + lines, folder.path, PublishProgram.path] + arguments
        ).text
    }

    private func pictures(_ path: String) async throws -> Int {
        let found = try await ExternalProgram.ffprobe.run([
            "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of",
            "csv=p=0", path,
        ])
        return found.text.split(whereSeparator: { $0 == "\n" || $0 == "," }).first.flatMap { Int($0) } ?? 0
    }

    @Test("Ctrl-C ends the stream of a server and completes the file beside it")
    func interruptWithServer() async throws {
        try await withTemporaryDirectory { folder in
            let port = freePort()
            let server = try PeerProgram(
                .ffmpeg,
                [
                    "-v", "error", "-f", "flv", "-listen", "1", "-i", "rtmp://127.0.0.1:\(port)/live/key", "-c", "copy",
                    "-flush_packets", "1", "-y", folder.path("server.flv"),
                ], log: folder.path("server.log"))
            try #require(await eventually { isListened(at: port) }, "\(server.output)")
            let found = try await script(
                #"""
                "$1" test --to rtmp://127.0.0.1:$2/live/key --to mp4:a.mp4 --pace real-time \#(Self.quick) 2> log & pid=$!
                end=$((SECONDS + \#(Int(6 * Patience.seconds))))
                until [ "$(stat -c %s server.flv 2> /dev/null || echo 0)" -gt 20000 ]; do
                    [ $SECONDS -lt $end ] || { kill -9 $pid; exit 99; }; sleep 0.02
                done
                kill -INT $pid; wait $pid; echo status $?
                """#, ["\(port)"], in: folder)
            #expect(found.contains("status 130"), "\(found)")
            // The server saw an end, not a broken connection.
            #expect(await server.exitStatus(within: 20) == 0, "\(server.output)")
            let sent = try await pictures(folder.path("server.flv"))
            let kept = try await pictures(folder.path("a.mp4"))
            #expect(sent > 0 && kept >= sent, "\(kept) in the file, \(sent) at the server")
        }
    }

    @Test("statistics and messages hide what may be a key in the paths of input and sound")
    func inputOfAnAddress() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                mkdir -p rtmp:/u:SECRET@h/app; name="rtmp://u:SECRET@h/app/a SECRET"
                ffmpeg -v error -f lavfi -i testsrc=s=64x64 -f lavfi -i sine -t 0.4 in.nut; mv in.nut "$name"
                "$1" "$name" --sound "$name" --to a.mkv --json - 2>&1; echo status $?
                "$1" "$name.gone" --sound "$name" --to b.mkv 2>&1; echo status $?
                "$1" "$name" --copy --to "$name.mkv" 2>&1; echo status $?
                """#, in: folder)
            #expect(found.contains(#""input" : "rtmp://h/…""#) && found.contains("status 0"), "\(found)")
            #expect(found.contains("status 1") && found.contains("status 64") && !found.contains("SECRET"), "\(found)")
        }
    }

    @Test("outputs that cannot be end with the status of a wrong command line", .requiresProgram("ffmpeg"))
    func wrongOutputs() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                ffmpeg -v error -f lavfi -i testsrc=s=64x64 -t 0.2 in.mkv; ln -s in.mkv same.mkv
                "$1" in.mkv --to same.mkv 2>&1; echo status $?
                "$1" in.mkv --sound none --to q.adts 2>&1; echo status $?
                ls
                """#, in: folder)
            #expect(found.split(separator: "\n").filter { $0 == "status 64" }.count == 2, "\(found)")
            #expect(!found.contains("\nq.adts\n"), "\(found)")
        }
    }

    @Test("a reader of the progress that goes away ends no recording")
    func progressUnread() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                "$1" test --duration 3 --pace real-time --to mp4:a.mp4 --to rtmp://127.0.0.1:$2/live/key \#(Self.quick) 2>&1 |
                    head -c 1; echo status ${PIPESTATUS[0]}
                """#, ["\(freePort())"], in: folder)
            // Some outputs failed: nobody listens.
            #expect(found.contains("status 3"), "\(found)")
            #expect(try await pictures(folder.path("a.mp4")) == 75)
        }
    }

    /// A limit of the shell's on the size of a file is a disk that fills at that size.
    @Test(
        "a disk that fills fails its output with the reason, and the others are whole", .inTurn(), .limitsFiles,
        arguments: ["mp4:full.mp4", "full.mp4", "full.mkv", "full.ts", "full.flv", "full/"])
    func fullDisk(output: String) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                (trap '' XFSZ; ulimit -f 48
                "$1" test --duration 4 --average-bit-rate 400k --to "$2" --to ts:- \#(Self.quick) 2> log
                echo status $? >> log) | cat > whole.ts
                cat log
                """#, [output], in: folder)
            #expect(found.contains("status 3") && found.contains("File too large"), "\(found)")
            #expect(try await pictures(folder.path("whole.ts")) == 100)
        }
    }

    @Test("a reader that closes its pipe ends that output, and the file beside it is whole")
    func closedPipe() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                "$1" test --duration 4 --to ts:- --to whole.mkv \#(Self.quick) 2> log | head -c 2000 > part.ts
                echo status ${PIPESTATUS[0]}; cat log
                """#, in: folder)
            #expect(found.contains("status 3") && found.contains("Broken pipe"), "\(found)")
            #expect(try await pictures(folder.path("whole.mkv")) == 100)
        }
    }

    @Test("a copy from a pipe to a pipe has all pictures", arguments: ["fmp4", "ts", "flv", "mkv"])
    func pipes(container: String) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                "$1" test --duration 2 --to $2:- \#(Self.quick) 2> first | "$1" - --copy --to $2:- 2> second > copy
                echo status ${PIPESTATUS[@]}; cat first second
                """#, [container], in: folder)
            #expect(found.contains("status 0 0"), "\(found)")
            #expect(try await pictures(folder.path("copy")) == 50, "\(found)")
        }
    }

    @Test(
        "without a library a film cannot be read, and the package is named",
        arguments: [
            ("libavformat.so.59", "libavformat59"), ("libavcodec.so.59", "libavcodec59"),
            ("libavutil.so.57", "libavutil57"),
        ], ["", "--copy"])
    func missingLibrary(library: (file: String, package: String), option: String) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                ffmpeg -v error -f lavfi -i testsrc=s=64x64 -t 0.2 film.mkv
                mkdir no && touch no/"$2"
                LD_LIBRARY_PATH=no "$1" film.mkv $3 --to out.mkv 2>&1; echo status $?
                """#, [library.file, option], in: folder)
            #expect(found.contains("status 1") && found.contains(library.package), "\(found)")
        }
    }
}
