// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport

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
