// SPDX-License-Identifier: MIT

public import EncoderAPI

extension Sequence<EncodedFrame> {
    /// The most bytes of access units whose decode times lie in one window, each window counted by itself.
    ///
    /// A window begins with a frame and is open at its end. Times are compared exactly.
    ///
    /// - Parameter seconds: Length of a window, to the nanosecond.
    /// - Returns: 0 where no frame was encoded.
    public func mostBytes(inWindowsOf seconds: Double) -> Int {
        let length = MediaTime(value: Int64((seconds * 1e9).rounded()), timescale: 1_000_000_000)
        let units = compactMap { frame in frame.accessUnit.map { (time: frame.decodeTime, bytes: $0.data.count) } }
        let windows = units.map { first in
            units.filter { $0.time >= first.time && $0.time - first.time < length }.reduce(0) { $0 + $1.bytes }
        }
        return windows.max() ?? 0
    }
}
