// SPDX-License-Identifier: MIT

import EncoderAPI

/// Chooses a camera's format, size and rate: pure.
struct ModeChoice: Sendable, Hashable {
    /// libavformat's name of the format, for its option `input_format`.
    let formatName: String
    let width: Int
    let height: Int
    /// nil where the camera says nothing of rates, and none was asked for.
    let rate: FrameRate?

    /// How pictures of a format become those of a session, best first.
    private enum Way: Int {
        /// As they are.
        case taken, converted, decoded
    }

    /// Formats by their four characters: the library's name, and what becomes of them.
    private static let formats: [String: (name: String, way: Way)] = [
        "NV12": ("nv12", .taken), "YU12": ("yuv420p", .taken),
        "YUYV": ("yuyv422", .converted), "UYVY": ("uyvy422", .converted), "NV16": ("nv16", .converted),
        "422P": ("yuv422p", .converted), "RGB3": ("rgb24", .converted), "BGR4": ("bgr0", .converted),
        "XR24": ("bgr0", .converted), "AR24": ("bgra", .converted),
        "MJPG": ("mjpeg", .decoded), "JPEG": ("mjpeg", .decoded), "H264": ("h264", .decoded),
        "HEVC": ("hevc", .decoded),
    ]

    /// Whether pictures of a format can be had.
    static func isKnown(_ format: String) -> Bool { formats[format] != nil }

    /// What is taken where nothing is asked for: not more than this, as fast as this.
    private static let (usualWidth, usualHeight, usualRate) = (1280, 720, 30.0)

    /// Chooses.
    ///
    /// - Parameters:
    ///   - modes: What the camera has.
    ///   - size: The size that is asked for; nil for the largest up to 1280x720 that is fast, or else the smallest.
    ///   - rate: The rate that is asked for; nil for the one nearest to 30.
    /// - Throws: ``CaptureError`` with `.unsupported`, and what the camera has.
    init(
        _ modes: [CaptureMode], size: (width: Int, height: Int)?, rate: FrameRate?
    ) throws(CaptureError) {
        let known = modes.filter { Self.isKnown($0.format) }
        guard !known.isEmpty else {
            let names = Set(modes.map(\.format)).sorted().joined(separator: ", ")
            throw CaptureError(
                .unsupported,
                reason: "pictures in \(names.isEmpty ? "no format" : names), expected one of "
                    + Self.formats.keys.sorted().joined(separator: ", "))
        }
        var fitting = known
        if let size {
            fitting = known.filter { $0.has(size) }
            guard !fitting.isEmpty else {
                throw CaptureError(
                    .unsupported,
                    reason: "no pictures of \(size.width)x\(size.height), expected a size that the camera has: "
                        + Self.list(known.map(\.sizeText)))
            }
        }
        if let rate {
            let (ofSize, sizeText) = (fitting, size.map { " of \($0.width)x\($0.height)" } ?? "")
            fitting = fitting.filter { $0.has(rate) }
            guard !fitting.isEmpty else {
                throw CaptureError(
                    .unsupported,
                    reason: "no pictures\(sizeText) at \(rate.text) frames/s, expected a mode that the camera has: "
                        + Self.list(ofSize.map(\.description)))
            }
        }
        let choices = fitting.map { Candidate($0, size: size, rate: rate) }
        guard let best = choices.max(by: { $0.isWorse(than: $1) }), let format = Self.formats[best.mode.format] else {
            preconditionFailure("one mode fits")
        }
        formatName = format.name
        (width, height, self.rate) = (best.width, best.height, best.rate)
    }

    /// Up to twelve texts, each once.
    private static func list(_ texts: [String]) -> String {
        var seen: Set<String> = []
        let each = texts.filter { seen.insert($0).inserted }
        let shown = each.prefix(12).joined(separator: ", ")
        return each.count > 12 ? "\(shown) and \(each.count - 12) more" : shown
    }

    private struct Candidate {
        let mode: CaptureMode
        let width: Int
        let height: Int
        let rate: FrameRate?

        init(_ mode: CaptureMode, size: (width: Int, height: Int)?, rate: FrameRate?) {
            self.mode = mode
            if let size {
                (width, height) = size
            } else if mode.largest.width > usualWidth || mode.largest.height > usualHeight {
                width = Self.fit(usualWidth, mode.width, mode.largest.width, mode.step.width)
                height = Self.fit(usualHeight, mode.height, mode.largest.height, mode.step.height)
            } else {
                (width, height) = mode.largest
            }
            if let rate {
                self.rate = rate
            } else if let fastest = mode.rate, let slowest = mode.slowest {
                let usual = FrameRate(numerator: Int(usualRate))
                self.rate =
                    fastest.framesPerSecond <= usualRate
                    ? fastest : slowest.framesPerSecond >= usualRate ? slowest : usual
            } else {
                self.rate = nil
            }
        }

        /// The largest value of a range that is no larger than wanted; its smallest where there is none.
        private static func fit(_ wanted: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
            guard wanted > low else { return low }
            return low + (min(wanted, high) - low) / max(step, 1) * max(step, 1)
        }

        /// Fast enough first, then of a usual size, then large, or small beyond that size, then near the usual rate,
        /// then with least work.
        private var rank: [Double] {
            let pace = rate?.framesPerSecond ?? usualRate
            let isUsual = width <= usualWidth && height <= usualHeight
            let way = formats[mode.format]?.way ?? .decoded
            return [
                pace >= usualRate * 0.79 ? 1 : 0, isUsual ? 1 : 0,
                isUsual ? Double(width * height) : -Double(width * height), -abs(pace - usualRate),
                -Double(way.rawValue),
            ]
        }

        func isWorse(than other: Candidate) -> Bool { rank.lexicographicallyPrecedes(other.rank) }
    }
}

extension CaptureMode {
    fileprivate var sizeText: String {
        largest == (width, height)
            ? "\(width)x\(height)" : "\(width)x\(height) to \(largest.width)x\(largest.height)"
    }
}
