// SPDX-License-Identifier: MIT

/// An FLV file in the making, tag by tag.
public struct TestFLV: Sendable {
    /// The file so far: its header, which announces video alone, and all tags.
    public private(set) var bytes = Hex.bytes("464C56 01 01 00000009 00000000")

    /// Starts a file.
    public init() {}

    /// Adds a tag, and its size behind it.
    ///
    /// - Parameters:
    ///   - type: 8 for audio, 9 for video, 18 for script data.
    ///   - data: The tag's data.
    ///   - milliseconds: Its time.
    public mutating func add(_ type: UInt8, _ data: [UInt8], milliseconds: Int = 0) {
        let time = [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: milliseconds >> $0) }
        let size = [16, 8, 0].map { UInt8(truncatingIfNeeded: data.count >> $0) }
        bytes += [type] + size + time + [0, 0, 0] + data
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (data.count + 11) >> $0) }
    }
}
