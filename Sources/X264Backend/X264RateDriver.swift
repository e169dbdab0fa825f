// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport

/// Rate control of a running encoder, picture by picture: what libx264 shall be set to for the next one; pure.
///
/// Keeps the rate where the pictures come otherwise than the frame rate says (see ``X264Pace``), and brings another
/// average into the stream. libx264 averages over four times its buffer, so with the buffer of 2.5 seconds that
/// averages without limits have, a raise from 500 to 1500 kbit/s took more than ten seconds. After a change the buffer
/// is small and grows with time: the same raise then takes two to three seconds, measured on 0.164 with noise that
/// moves. Three seconds each at 12, 8 and 5 Mbit/s of a clip of 720p then have 11.0, 7.8 and 4.9 Mbit/s; with the whole
/// buffer at once after 12 Mbit/s they had 11.0, 6.0 and 6.2.
///
/// With filler the buffer may not shrink at once: libx264 would fill up at once what no longer fits. It moves to the
/// size of another rate by as much in each second as it grows after a change without.
struct X264RateDriver {
    /// Seconds of the buffer right after another average.
    static let changedBuffer = 0.1
    /// Seconds by which it grows in each second; the pictures get less by so much of the rate.
    ///
    /// With filler it shrinks as fast, and pictures and filler get more.
    static let bufferGrowth = 0.05
    /// Seconds that one picture moves a buffer with filler by at most: after a pause the rest would be one picture's.
    private static let longestStep = 0.5

    /// What was asked for.
    private(set) var rate: X264Rate
    private let framesPerSecond: Double
    private let secondsPerTick: Double
    /// Nil where the library follows timestamps itself.
    private var pace: X264Pace?
    private var lastChange = Change.none
    /// What the last picture was owed beyond the units of 1000 bit/s that it was counted in.
    private var rest = 0.0
    /// What the buffer of a rate with filler holds now, and since when.
    private var filled: (size: Double, ticks: Int64)?

    /// When the average became another one; none where the buffer has its size since.
    private enum Change {
        case none
        case atNextPicture
        case since(Int64)
    }

    /// Starts with what the encoder was opened with.
    init(_ rate: X264Rate, _ plan: EncodingPlan, followsTimestamps: Bool) {
        self.rate = rate
        framesPerSecond = plan.frameRate.framesPerSecond
        secondsPerTick = 1 / Double(plan.timescale)
        pace = followsTimestamps ? nil : X264Pace(framesPerSecond: framesPerSecond, timescale: plan.timescale)
    }

    /// Goes on with another rate, from the next picture on.
    mutating func change(to next: X264Rate) {
        if case .average(let old) = rate.method, case .average(let new) = next.method, !next.hasFiller, new != old {
            lastChange = .atNextPicture
        }
        rate = next
    }

    /// The rate for the picture at `ticks`.
    mutating func rate(at ticks: Int64) -> X264Rate {
        guard let buffer = rate.buffer else { return rate }
        let count = pace?.frames(at: ticks, bufferSeconds: Double(buffer.size) / Double(buffer.maximum)) ?? 1
        var size = rate.hasFiller ? filledSize(of: buffer, at: ticks) : bufferSize(of: buffer, at: ticks)
        // Opened for fewer pictures than come, and told their times, the library has room for one of the few: what a
        // limit forbids of that the session keeps.
        if pace == nil { size = max(size, Int(least(of: buffer))) }
        return rate.with(bufferSize: size, frames: whole(count, of: buffer), framesPerSecond: framesPerSecond)
    }

    /// As many frames as make whole units of 1000 bit/s; the rest is for the next picture.
    private mutating func whole(_ frames: Double, of buffer: KilobitRate.Buffer) -> Double {
        guard frames != 1 else { return 1 }
        let exact = Double(buffer.maximum) * frames + rest
        // The library takes no less than one.
        let units = max(exact.rounded(.down), 1)
        rest = max(exact - units, -1)
        return units / Double(buffer.maximum)
    }

    private mutating func bufferSize(of buffer: KilobitRate.Buffer, at ticks: Int64) -> Int {
        let start: Int64
        switch lastChange {
        case .none: return buffer.size
        case .atNextPicture:
            lastChange = .since(ticks)
            start = ticks
        case .since(let ticks): start = ticks
        }
        let seconds = Self.changedBuffer + Self.bufferGrowth * Double(ticks - start) * secondsPerTick
        let size = Int(max(seconds * Double(buffer.maximum), least(of: buffer)))
        guard size < buffer.size else {
            lastChange = .none
            return buffer.size
        }
        return size
    }

    private mutating func filledSize(of buffer: KilobitRate.Buffer, at ticks: Int64) -> Int {
        let wanted = Double(buffer.size)
        guard let (size, since) = filled, size != wanted else {
            filled = (wanted, ticks)
            return buffer.size
        }
        let seconds = min(Double(ticks - since) * secondsPerTick, Self.longestStep)
        let most = Self.bufferGrowth * Double(buffer.maximum) * seconds
        let next = max(min(max(wanted, size - most), size + most), least(of: buffer))
        filled = (next, ticks)
        return Int(next)
    }

    /// The library takes no buffer smaller than a picture's share.
    private func least(of buffer: KilobitRate.Buffer) -> Double {
        (Double(buffer.maximum) / framesPerSecond).rounded(.up)
    }
}
