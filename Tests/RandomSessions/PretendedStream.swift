// SPDX-License-Identifier: MIT

package import EncoderAPI
import ParameterSets

/// The bytes that the pretended encoder writes: real parameter sets, slices that only name a picture.
package enum PretendedStream {
    /// The parameter sets of pictures of a color.
    static func sets(_ color: ColorDescription?) -> [[UInt8]] {
        switch color {
        case Operation.Color.usual.meaning: usualSets
        case Operation.Color.other.meaning: otherSets
        default: plainSets
        }
    }

    /// The color that a format signals; nil for none, or where that cannot be read.
    static func color(of format: FormatDescription) -> ColorDescription? {
        (try? SequenceDescription(parameterSets: format.parameterSets, codec: format.codec))?.color
    }

    private static let usualSets = sets(signalling: Operation.Color.usual.meaning)
    private static let otherSets = sets(signalling: Operation.Color.other.meaning)

    private static func sets(signalling color: ColorDescription) -> [[UInt8]] {
        var sets = plainSets
        guard var sps = try? H264SPS(nalUnit: sets[0]) else { return sets }
        sps.vui?.videoSignalType = VideoSignalType(color)
        if let unit = try? sps.nalUnit() { sets[0] = unit }
        return sets
    }

    // x264 --quiet -o q.264 q.y4m (176x144, 30 frames per second)
    private static let plainSets: [[UInt8]] = [
        [
            0x67, 0x64, 0x00, 0x0B, 0xAC, 0xD9, 0x42, 0xC4, 0xE8, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0F,
            0x23, 0xC5, 0x0A, 0x65, 0x80,
        ],
        [0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0],
    ]

    /// Parameter sets that signal what libraries do: clock, frame rate, a level for the rate, and where quantizers
    /// start.
    static func sets(for settings: ResolvedSettings) -> [[UInt8]] {
        let sets = sets(settings.request.color)
        guard var sps = try? H264SPS(nalUnit: sets[0]), var pps = try? H264PPS(nalUnit: sets[1], sps: sps) else {
            return sets
        }
        let (rate, bits) = (settings.plan.frameRate.framesPerSecond, settings.pacedRate.buffer?.peakBitsPerSecond ?? 0)
        sps.vui?.timing = ClockTicks(numUnitsInTick: Int(1000 * rate), timeScale: Int(settings.plan.timescale))
        sps.levelIdc = (rate > 40 ? 30 : 20) + (bits > 175_000 ? 1 : 0)
        pps.picInitQpMinus26 = settings.live.rate.control == .averageBitRate(200_000) ? 0 : 2
        let parameterSets = H264ParameterSets(sps: sps, pps: pps)
        guard let first = try? sps.nalUnit(), let second = try? pps.nalUnit(in: parameterSets) else { return sets }
        return [first, second]
    }

    /// A slice of picture `token`, which its second and third byte name; three bytes or more.
    static func slice(_ token: Int, isKey: Bool, isB: Bool, byteCount: Int = 3) -> [UInt8] {
        let start = [isKey ? 0x65 : (isB ? 0x01 : 0x41), UInt8(0x80 | token >> 7), UInt8(0x80 | token & 0x7F)]
        return start + [UInt8](repeating: 0xA5, count: byteCount - start.count)
    }

    /// What a slice carries besides, so that its length does not fit two bytes.
    static let filling = [UInt8](repeating: 0xA5, count: 1 << 16)

    /// The picture that an access unit names.
    static func token(of unit: AccessUnit) -> Int? {
        guard let slice = unit.nalUnits.last, slice.count >= 3 else { return nil }
        return token(ofSlice: unit.data[slice])
    }

    /// The picture that a slice names.
    package static func token(ofSlice slice: some Collection<UInt8>) -> Int {
        slice.prefix(3).dropFirst().reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
}

/// Pictures that carry a number and a fate in their first samples, made once and shared by all sessions.
package enum Pictures {
    /// A picture of the usual size and of eight bits.
    package static func picture(_ token: Int, _ fate: PictureFate) -> PixelBuffer {
        picture(token, Operation.Frame(0, .fine, fate), .usual, isDeep: false)
    }

    /// The picture of a frame, or what else is given in its place.
    static func picture(
        _ token: Int, _ frame: Operation.Frame, _ size: Operation.Size, isDeep: Bool
    ) -> PixelBuffer {
        let index = token * Operation.Fate.allCases.count + Int(frame.fate.rawValue)
        return switch frame.picture {
        case .wrongSize: wrongSize
        case .wrongFormat: wrongFormat
        case .wrongColor: isDeep ? deepWrongColor : wrongColor
        case .illegalSample where isDeep: (size == .small ? smallIllegal : illegal)
        case .fine, .illegalSample: (size == .small ? smallMarked : marked)[isDeep ? 1 : 0][index]
        }
    }

    /// The number and fate that a picture carries.
    static func marks(of picture: PixelBuffer) -> (token: Int, fate: Operation.Fate) {
        picture.withPlane(0) { bytes, _ in
            let step = picture.format.bytesPerSample
            return (Int(bytes[0]), Operation.Fate(rawValue: bytes[step]) ?? .coded)
        }
    }

    /// Frames that a sequence may give.
    package static let count = 128

    private static let marked = makeMarked(.usual)
    private static let smallMarked = makeMarked(.small)
    private static let illegal = make(.i010, [1024, 0], .usual)
    private static let smallIllegal = make(.i010, [1024, 0], .small)
    private static let wrongSize = make(.i420, [0, 0], .impossible)
    private static let wrongFormat = make(.nv12, [0, 0], .usual)
    private static let wrongColor = make(.i420, [0, 0], .usual, color: .bt2100HLG)
    private static let deepWrongColor = make(.i010, [0, 0], .usual, color: .bt2100HLG)

    private static func makeMarked(_ size: Operation.Size) -> [[PixelBuffer]] {
        [PixelFormat.i420, .i010].map { format in
            (0..<count).flatMap { token in
                Operation.Fate.allCases.map { make(format, [UInt16(token), UInt16($0.rawValue)], size) }
            }
        }
    }

    private static func make(
        _ format: PixelFormat, _ samples: [UInt16], _ size: Operation.Size, color: ColorDescription? = nil
    ) -> PixelBuffer {
        let (width, height) = size.sides
        guard var buffer = try? MutablePixelBuffer(format: format, width: width, height: height) else {
            preconditionFailure("no memory for the pictures of a test")
        }
        buffer.color = color
        for plane in 0..<format.planeCount {
            buffer.withMutablePlane(plane) { bytes, _ in
                _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
                guard plane == 0 else { return }
                for (index, sample) in samples.enumerated() {
                    let place = index * format.bytesPerSample
                    bytes[place] = UInt8(truncatingIfNeeded: sample)
                    if format.bytesPerSample == 2 { bytes[place + 1] = UInt8(sample >> 8) }
                }
            }
        }
        return PixelBuffer(buffer)
    }
}

extension Operation.Size {
    /// Luma samples in a row, and luma rows.
    var sides: (width: Int, height: Int) {
        switch self {
        case .usual: (176, 144)
        case .small: (64, 48)
        case .impossible: (60_000, 16)
        }
    }
}

extension Operation.Color {
    /// What the samples mean.
    var meaning: ColorDescription {
        switch self {
        case .usual: .bt709
        case .other: .bt2100PQ
        case .impossible: ColorDescription(primaries: 3)
        }
    }
}
