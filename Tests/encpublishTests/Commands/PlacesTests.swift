// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The built program where two of its files lead to one place, or an input is a pipe.
@Suite(.requiresProgram("bash", "ffmpeg", "ffprobe")) struct PlacesTests {
    private static let quick = "--duration 1 --preset ultrafast --size 160x90 --frame-rate 25"
    private static let test = #""$1" test --pace fast \#(quick)"#

    /// Runs a script in a folder, in which `$1` is the program; what it prints.
    private func script(_ lines: String, _ arguments: [String] = [], in folder: TemporaryDirectory) async throws
        -> String
    {
        try await ExternalProgram("bash").run(
            ["-c", "cd \"$0\"; " + lines, folder.path, PublishProgram.path] + arguments
        ).text
    }

    private static let film = #"ffmpeg -v error -f lavfi -i testsrc=s=160x90:r=25:d=1 -f lavfi -i sine=d=1 -c:a aac"#

    @Test(
        "an input is not written over by a folder of segments that has a file of its name",
        arguments: [
            ("h/init.mp4", #""$1" h/init.mp4 --copy --to h/"#),
            ("h/init.mp4", #""$1" h/init.mp4 --preset ultrafast --to ./h//"#),
            ("h/segment-000001.m4s", #""$1" h/segment-000001.m4s --copy --to h/"#),
            ("h/init.mp4", #"ln -s h/init.mp4 in.mp4; "$1" in.mp4 --copy --to h/"#),
            ("h/init.mp4", #"ln -s h g; "$1" h/init.mp4 --copy --record g/"#),
            ("h/init.mp4", #""$1" test --duration 1 --sound h/init.mp4 --to h/"#),
            ("h/init.mp4", #""$1" - --copy --to h/ < h/init.mp4"#),
            ("in.mkv", #""$1" in.mkv --copy --to mkv:- 1<> in.mkv"#),
            ("in.mkv", #"ln -s in.mkv out.mkv; "$1" in.mkv --copy --to a.ts --json out.mkv"#),
        ])
    func inputInFolder(row: (input: String, command: String)) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                "mkdir h; \(Self.film) -f \(row.input.hasSuffix("mkv") ? "matroska" : "mp4") \(row.input); "
                    + "cp \(row.input) kept; { \(row.command); } 2> log; echo status $?; cmp kept \(row.input) && echo same; cat log",
                in: folder)
            #expect(found.contains("status 64") && found.contains("\nsame") && found.contains(" too"), "\(found)")
        }
    }

    @Test("a folder may have another file of another kind of segments in it")
    func otherNames() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"mkdir h; \#(Self.film) h/init.mp4; "$1" h/init.mp4 --copy --to ts:h/ 2>&1; echo status $?"#,
                in: folder)
            #expect(found.contains("status 0"), "\(found)")
        }
    }

    @Test(
        "two outputs in one place are refused, of whichever encodings, through links and before they are there",
        arguments: [
            "--to a.mkv --encoding s=x264,crf=45 --to s=./a.mkv",
            #"--to a.mkv --encoding s=x264,crf=45 --to s="$PWD"/a.mkv"#,
            "--to hd/ --encoding s=x264,crf=45 --to s=./hd//", "--to there/ --encoding s=x264,crf=45 --to s=link/",
            "--to q1.mkv --to q2.mkv", "--to q1.mkv --record q2.mkv", "--to a.mkv --json ./a.mkv",
            "--to hj/ --json hj/index.m3u8", "--to hj/ --to hj/init.mp4", "--to mkv:hj/init.mp4 --record hj/",
            "--to ts:- --to out.ts > out.ts", "--to a.mkv --json - > a.mkv",
        ])
    func twoOutputs(options: String) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                "mkdir there; ln -s there link; ln -s q2.mkv q1.mkv; \(Self.test) \(options) 2> log; "
                    + "echo status $?; cat log", in: folder)
            #expect(found.contains("status 64") && found.contains(" too; write to another"), "\(found)")
        }
    }

    @Test("devices and distinct files are no one place, and a file that goes on in another one is not taken for it")
    func distinct() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                "\(Self.test) --to ts:/dev/null --to mkv:/dev/./null --to a.mkv --to b.mkv --to h/ --to ts:g/ "
                    + "--json h/r.json 2>&1; echo status $?", in: folder)
            #expect(found.contains("status 0"), "\(found)")
        }
    }

    @Test(
        "an output that was given no picture has failed, and says so", arguments: ["r.mkv", "mp4:r.mp4", "r/", "ts:-"])
    func nothing(output: String) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                printf 'YUV4MPEG2 W160 H120 F15:1\n' > in.y4m
                "$1" in.y4m --to $2 --json r.json 2> log; echo status $?; cat log; grep -o '"state" *: *"[a-z]*"' r.json
                """#, [output], in: folder)
            #expect(found.contains("status 1") && found.contains("no picture came"), "\(found)")
            #expect(found.contains("failed\"") && !found.contains("ended\""), "\(found)")
        }
    }

    @Test(
        "a pipe by name is read once: all pictures come, and no sound unless it is copied", .inTurn(),
        arguments: [
            (#"cat in.y4m > p & "$1" p --preset ultrafast --to out.mkv"#, "25"),
            (#"cat in.y4m | "$1" /dev/stdin --preset ultrafast --to out.mkv"#, "25"),
            (#""$1" <(cat in.ts) --preset ultrafast --to out.mkv"#, "25"),
            (#"cat in.mkv > p & "$1" p --preset ultrafast --to out.mkv"#, "25"),
            (#"cat in.ts > p & "$1" p --copy --to out.mkv"#, "25"),
        ])
    func pipe(command: String, pictures: String) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                """
                mkfifo p; \(Self.film) in.mkv; ffmpeg -v error -i in.mkv -c copy in.ts; ffmpeg -v error -i in.mkv -pix_fmt yuv420p -fps_mode passthrough in.y4m
                (\(command.replacing("\"$1\"", with: "timeout 60 \"$1\""))) 2>&1; echo status $?
                ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 out.mkv
                """, in: folder)
            #expect(found.contains("status 0\n\(pictures)"), "\(found)")
        }
    }

    @Test(
        "Ctrl-C ends a run whose input is being opened, or gives nothing",
        arguments: ["p", "p --copy", "- < p", "begun.ts", "begun.ts --copy", "test --sound p"])
    func interrupted(input: String) async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                mkfifo p begun.ts; \#(Self.film) in.ts
                case "$2" in "- < p") exec 3<> p;; begun*) exec 3<> begun.ts; head -c 3000 in.ts >&3;; esac
                eval "\"\$1\" $2 --to out.mkv 3>&- 2> log & pid=\$!"
                # Its handler is there before it opens the input.
                end=$((SECONDS + \#(Int(6 * Patience.seconds))))
                until [ -n "$(grep SigCgt /proc/$pid/status | grep -o '[2367abef]$')" ]; do
                    [ $SECONDS -lt $end ] || { kill -9 $pid; exit 99; }; sleep 0.02
                done
                kill -INT $pid
                while kill -0 $pid 2> /dev/null; do
                    [ $SECONDS -lt $end ] || { kill -9 $pid; echo killed; break; }; sleep 0.02
                done
                wait $pid; echo status $?; cat log
                """#, [input], in: folder)
            #expect(found.contains("status 1\n") && !found.contains("killed"), "\(found)")
        }
    }

    @Test("Ctrl-C ends a run whose pipe of sound gives nothing any more, and the file is whole")
    func soundStops() async throws {
        try await withTemporaryDirectory { folder in
            let found = try await script(
                #"""
                mkfifo p; exec 3<> p
                "$1" test --size 160x120 --frame-rate 15 --sound p --to out.mkv 3>&- 2> log & pid=$!
                end=$((SECONDS + \#(Int(6 * Patience.seconds))))
                # All but what the pipe holds is read when this ends.
                ffmpeg -v error -f lavfi -i sine=r=48000:d=4 -f wav - >&3
                kill -INT $pid
                while kill -0 $pid 2> /dev/null; do
                    [ $SECONDS -lt $end ] || { kill -9 $pid; echo killed; break; }; sleep 0.02
                done
                wait $pid; echo status $?; cat log
                ffprobe -v error -count_packets -show_entries stream=codec_type,nb_read_packets -of csv=p=0 out.mkv
                """#, in: folder)
            #expect(found.contains("status 130\n") && !found.contains("killed"), "\(found)")
            #expect(found.contains("video,") && found.contains("audio,"), "\(found)")
        }
    }
}
