// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport

/// Shows the time on a screen and beeps at each full second, and tells when: the program `Tests/CaptureClock/clock.py`.
struct ScreenClock {
    /// The size of its picture.
    static let size = "128x64"
    /// What it needs.
    static let programs: [ExternalProgram] = ["Xvfb", "pulseaudio", "pactl", "python3"]

    private let program: PeerProgram
    private let log: String

    /// Starts it; nil where it does not draw and beep in time.
    init?(on display: String, _ server: PulseServer, in folder: borrowing TemporaryDirectory) async throws {
        let root = #filePath[..<(#filePath.ranges(of: "/Tests/").last?.lowerBound ?? #filePath.endIndex)]
        let path = folder.path("clock.txt")
        log = path
        program = try PeerProgram(
            "env", [server.variable, "python3", "\(root)/Tests/CaptureClock/clock.py", display, "cap", path],
            log: folder.path("clock.log"))
        let isUp = await eventually {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else { return false }
            let account = Account(String(decoding: data, as: UTF8.self))
            return account.drawn.count > 10 && account.heard.count > 10
        }
        guard isUp else { return nil }
    }

    /// What it told so far; all times are microseconds of the monotonic clock.
    struct Account {
        /// Pictures: what each shows, and when it was drawn.
        var drawn: [(from: Int64, until: Int64)] = []
        /// When places of the sound are heard.
        var heard: [(position: Int64, at: Int64)] = []

        init(_ text: String) {
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 3, let first = Int64(words[1]), let second = Int64(words[2]) else { continue }
                if words[0] == "drawn" { drawn.append((first, second)) } else { heard.append((first, second)) }
            }
        }
    }

    /// What it told so far.
    var account: Account {
        get throws { Account(String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)) }
    }
}

/// A recording of what a ``ScreenClock`` showed and sounded, beside what it tells; times are microseconds.
struct ClockRecording {
    /// The time of each picture in the file, and between which times what it shows was on the screen.
    private(set) var pictures: [(time: Double, from: Double, until: Double)] = []
    /// Pictures that show no time that was drawn.
    private(set) var unreadable = 0
    /// When each beep begins in the file.
    private(set) var beeps: [Double] = []
    private let account: ScreenClock.Account

    /// Reads a file as ffmpeg decodes it.
    init(_ path: String, _ account: ScreenClock.Account) async throws {
        self.account = account
        let gray = try await ExternalProgram.ffmpeg.run([
            "-v", "error", "-copyts", "-i", path, "-map", "0:v", "-vf", "format=gray,scale=8:4:flags=area",
            "-fps_mode", "passthrough", "-f", "rawvideo", "-",
        ]).standardOutput
        let times = try await ExternalProgram.ffprobe.run([
            "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time", "-of",
            "csv=p=0", path,
        ]).text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
        var places: [UInt32: Int] = [:]
        for (index, drawn) in account.drawn.enumerated() {
            places[UInt32(truncatingIfNeeded: drawn.from / 100)] = index
        }
        for (index, time) in times.enumerated() where gray.count >= (index + 1) * 32 {
            let value = gray[index * 32..<(index + 1) * 32].reduce(UInt32(0)) { $0 << 1 | ($1 > 128 ? 1 : 0) }
            guard let place = places[value], place + 1 < account.drawn.count else {
                unreadable += 1
                continue
            }
            let (from, until) = (account.drawn[place].from, account.drawn[place + 1].until)
            pictures.append((time * 1_000_000, Double(from), Double(until)))
        }
        let listening = try await ExternalProgram.ffmpeg.run([
            "-hide_banner", "-nostats", "-copyts", "-i", path, "-map", "0:a", "-af",
            "aresample=async=1:first_pts=0,silencedetect=n=0.3:d=0.3", "-f", "null", "-",
        ])
        // The summary comes before the end of a silence that lasts to the end.
        let told = listening.standardError.split(separator: "\nsize=").first ?? ""
        beeps = told.split(separator: "silence_end: ").dropFirst()
            .compactMap { Double($0.prefix { $0 == "." || $0.isNumber }) }.map { $0 * 1_000_000 }
    }

    /// What the clock has more than the file.
    private var shift: Double { median(pictures.map { ($0.from + $0.until) / 2 - $0.time }) }

    /// By how many milliseconds each beep is later beside the pictures around it than it was heard beside those.
    ///
    /// The least and the most: a picture is right as long as what it shows was on the screen at its time.
    var offsets: [ClosedRange<Double>] {
        let shift = shift
        let errors = pictures.map { picture in
            let time = picture.time + shift
            return (picture.time, min(time - picture.from, 0) + max(time - picture.until, 0))
        }
        return beeps.compactMap { beep in
            let time = beep + shift
            let around = account.heard.filter { abs(Double($0.at) - time) < 1_000_000 }
            let near = errors.filter { abs($0.0 - beep) < 500_000 }.map(\.1)
            let starts = around.map { Double($0.at - $0.position) }
            let start = median(starts)
            // Where the player itself was held up, its sound breaks off, and nothing is known of the beep.
            let isSteady = starts.allSatisfy { abs($0 - start) < 10_000 }
            guard around.count > 20, isSteady, let least = near.min(), let most = near.max() else { return nil }
            let late = (time - start).remainder(dividingBy: 1_000_000)
            return (late - most) / 1000...(late - least) / 1000
        }
    }

    private func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }
}
