// SPDX-License-Identifier: MIT

/// How many bytes frames take in windows of time.
public enum DataRate {
    /// The most bytes of frames that begin within so many seconds.
    ///
    /// A window opens with each frame and ends before the time that is so much later.
    ///
    /// - Parameters:
    ///   - frames: Times in seconds, rising, and bytes.
    ///   - seconds: How long windows are.
    /// - Returns: Bytes of the fullest window.
    public static func most(_ frames: [(time: Double, bytes: Int)], within seconds: Double) -> Int {
        var (most, sum, first) = (0, 0, 0)
        for frame in frames {
            sum += frame.bytes
            // Times are sums of fractions: a frame a billionth before the end of a window is at its end.
            while frame.time - frames[first].time >= seconds - 1e-9 {
                sum -= frames[first].bytes
                first += 1
            }
            most = max(most, sum)
        }
        return most
    }

    /// Bits per second of frames in a part of a stream.
    public static func average(_ bytes: some Sequence<Int>, frameRate: Double) -> Double {
        let all = Array(bytes)
        return Double(all.reduce(0, +)) * 8 * frameRate / Double(max(all.count, 1))
    }
}
