// SPDX-License-Identifier: MIT

public import EncoderAPI

extension TestClip {
    /// A texture that moves two samples a picture under fixed noise, and another one from the middle on.
    public static func textures(
        width: Int = 176, height: Int = 144, format: PixelFormat = .i420, frameRate: FrameRate = 30, count: Int = 40
    ) -> TestClip {
        var generator = SeededGenerator(seed: 264)
        let noise = generator.bytes(count: 4096).map { Int($0 & 15) }
        return drawn(width, height, format, frameRate, count) { plane, x, y, index in
            let isSecond = index >= count / 2
            guard plane == 0 else { return 128 + ((plane == 1 ? x + index : y + index) & 31) - (isSecond ? 40 : 0) }
            let (u, v) = (x + 2 * index, y + index)
            return (isSecond ? (u * v / 16) & 127 : (u ^ v) & 127) + 40 + noise[(x * 31 + y * 17 + index) & 4095]
        }
    }

    /// Textured squares that move over a gradient, with a new scene every 40 pictures and seeded noise.
    public static func scenes(
        width: Int = 192, height: Int = 112, format: PixelFormat = .i420, frameRate: FrameRate = 25, count: Int = 60
    ) -> TestClip {
        var generator = SeededGenerator(seed: UInt64(width * 65536 + height))
        let grain = generator.bytes(count: 4096).map { Int($0) }
        return drawn(width, height, format, frameRate, count) { plane, column, row, index in
            let scene = index / 40
            let (x, y) = plane == 0 ? (column, row) : (column * 2, row * 2)
            let isInSquare = (x + index * 3) / 24 % 3 == scene % 3 && (y + index) / 24 % 2 == 0
            let texture = grain[(x * 7 + y * 131 + scene * 977) & 4095] >> (isInSquare ? 2 : 5)
            let base = plane == 0 ? (x + y * (scene + 1)) % 180 : 110 + plane * 8 + scene * 5
            return min(base + texture + 16, 235)
        }
    }

    /// Draws samples of eight bits; deeper formats have two bytes a sample, low byte first, and the value's last bits
    /// again below it.
    private static func drawn(
        _ width: Int, _ height: Int, _ format: PixelFormat, _ frameRate: FrameRate, _ count: Int,
        _ sample: (_ plane: Int, _ x: Int, _ y: Int, _ index: Int) -> Int
    ) -> TestClip {
        let shift = format.bitDepth - 8
        let frames = (0..<count).map { index in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(format.byteCount(width: width, height: height))
            for plane in 0..<3 {
                let columns = plane == 0 ? width : (width + 1) / 2
                for y in 0..<(plane == 0 ? height : (height + 1) / 2) {
                    for x in 0..<columns {
                        let value = min(max(sample(plane, x, y, index), 0), 255)
                        let wide = value << shift | value & (1 << shift - 1) & 3
                        bytes.append(UInt8(truncatingIfNeeded: wide))
                        if shift > 0 { bytes.append(UInt8(truncatingIfNeeded: wide >> 8)) }
                    }
                }
            }
            return bytes
        }
        return TestClip(width: width, height: height, format: format, frameRate: frameRate, frames: frames)
    }
}
