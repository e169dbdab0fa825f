// SPDX-License-Identifier: MIT

import CV4L2
import EncoderAPI

/// What a node of Video4Linux says of itself.
struct Camera: Sendable, Hashable {
    /// Its name, as the driver gives it.
    let name: String
    /// Its formats, sizes and rates.
    let modes: [CaptureMode]

    /// Modes that are asked for at most.
    private static let mostModes = 4096

    /// Asks a node.
    ///
    /// - Throws: ``CaptureError`` that names the node and the cure; `.unsupported` for a node that gives no pictures.
    init(_ source: CaptureSource) throws(CaptureError) {
        var device = CV4L2Device()
        var modes = [CV4L2Mode](repeating: CV4L2Mode(), count: Self.mostModes)
        let status = cv4l2_ask(source.place, &device, &modes, modes.count)
        guard status == 0 else { throw DeviceFault(source: source, number: status).opening }
        guard device.is_camera else {
            throw CaptureError(
                .unsupported, reason: "\(source.place) gives no pictures, expected a camera's node",
                source: source.description)
        }
        let text = withUnsafeBytes(of: device.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        name = DeviceText.oneLine(text)
        self.modes = modes.prefix(Int(clamping: device.mode_count)).compactMap(CaptureMode.init)
    }
}

extension CaptureMode {
    /// A mode as a driver states it; nil for sizes that cannot be.
    fileprivate init?(_ mode: CV4L2Mode) {
        let sides = [mode.width, mode.height, mode.max_width, mode.max_height]
        guard sides.allSatisfy({ (1...65535).contains($0) }), mode.max_width >= mode.width,
            mode.max_height >= mode.height
        else { return nil }
        let characters = (0..<4).map { UInt8(truncatingIfNeeded: mode.fourcc >> ($0 * 8)) }
        let text = characters.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
        self.init(
            format: String(text), isCompressed: mode.is_compressed, width: Int(mode.width), height: Int(mode.height),
            rate: FrameRate(mode.rate_numerator, mode.rate_denominator))
        largest = (Int(mode.max_width), Int(mode.max_height))
        step = (max(Int(mode.step_width), 1), max(Int(mode.step_height), 1))
        slowest = FrameRate(mode.min_rate_numerator, mode.min_rate_denominator)
    }
}

extension FrameRate {
    fileprivate init?(_ numerator: UInt32, _ denominator: UInt32) {
        guard numerator > 0, denominator > 0, Double(numerator) / Double(denominator) <= 1000 else { return nil }
        var (left, right) = (Int(numerator), Int(denominator))
        while right != 0 { (left, right) = (right, left % right) }
        self.init(numerator: Int(numerator) / left, denominator: Int(denominator) / left)
    }
}
