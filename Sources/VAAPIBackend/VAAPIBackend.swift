// SPDX-License-Identifier: MIT

public import EncoderAPI
public import Logging

/// Encodes H.264 and HEVC on GPUs, with libva and its drivers.
///
/// libva is opened when encoders are listed: a program that links this module runs without it, and is told what is
/// missing.
public struct VAAPIBackend: EncoderBackend {
    /// "vaapi".
    public let identifier = "vaapi"
    private let devices: @Sendable () -> [Candidate]
    /// Said where there are no devices.
    private let absence: String

    /// A device, and whether the program named it.
    private struct Candidate {
        var device: VADevice
        var isNamed: Bool
    }

    /// Makes a back end that looks for render nodes under /dev/dri each time it lists encoders.
    ///
    /// Nodes of Intel's old driver i965 are left out, because some of its builds abort the process:
    /// ``init(devices:)`` takes them.
    public init() { self.init(directory: RenderNode.defaultDirectory) }

    /// Makes a back end for devices that the program names.
    ///
    /// - Parameter devices: The one to prefer first; no two of one ``VADevice/name``.
    public init(devices: [VADevice]) {
        self.devices = { devices.map { Candidate(device: $0, isNamed: true) } }
        absence = "the list of devices is empty"
    }

    /// Looks for render nodes elsewhere, for tests.
    init(directory: String) {
        devices = { RenderNode.all(in: directory).map { Candidate(device: .renderNode($0), isNamed: false) } }
        absence = "\(directory) has no render node (renderD128 and up). In a container, pass the device in"
    }

    /// What a device's driver says, whether its encoders can be used or not.
    ///
    /// - Parameters:
    ///   - device: The device to open; it is closed again.
    ///   - logger: Where libva's messages go.
    /// - Returns: The driver's answers.
    /// - Throws: `EncoderError` that says what is missing and how to get it: `.noEncoder` without libva or its part for
    ///   nodes or X servers; `.backendFailure` for a node that does not open (with `errno` as the status), an X server
    ///   that does not answer (without a status), and a driver that is missing or does not start (with libva's status);
    ///   `.outOfMemory`; `.invalidValue` for a `VADisplay` that is NULL; else as the driver's status has it, where it
    ///   does not answer.
    public static func facts(of device: VADevice, logger: Logger) throws(EncoderError) -> VADeviceFacts {
        try VADeviceFacts(try VADisplayHandle(opening: device, logger: logger))
    }

    /// Looks for libva, without which no device can be opened.
    ///
    /// - Throws: `EncoderError` with `.noEncoder` that says which package is missing.
    public static func checkLibrary() throws(EncoderError) { _ = try VALibrary() }

    /// A picture of one of this back end's sessions in a surface, as a DMA-BUF of the same memory.
    ///
    /// - Parameter picture: From `session.pixelBufferPool`, of the kind `.surface`; held by the one returned.
    /// - Returns: A picture of the kind `.dmaBuf`, arranged as the driver arranges its surfaces.
    /// - Throws: `EncoderError` with `.invalidPixelBuffer` for another picture, `.unsupported` where the driver or
    ///   libva exports none; else as the driver refuses.
    public static func dmaBuf(of picture: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        guard let surface = picture.surface as? VAPicture else {
            throw EncoderError(.invalidPixelBuffer, reason: "a picture that is in no surface of VA-API's")
        }
        return try surface.exported()
    }

    /// Waits until the connections to devices are closed that sessions which ended still had: their threads do so after
    /// `finish()` returned.
    ///
    /// A process may exit before, and no driver is called then; one that has the time lets drivers and X servers see
    /// everything closed. Blocks the calling thread.
    ///
    /// - Parameter patience: How long, at most a day; not at all where it is negative.
    /// - Returns: Whether all are closed: false where a session, a picture or a pool of pictures still has one.
    @discardableResult public static func waitUntilClosed(within patience: Duration) -> Bool {
        DriverExitHandler.areGone(patience: min(max(patience, .zero), .seconds(86_400)))
    }

    /// One encoder for each device, codec and entry point; opens all devices, which may take its time.
    ///
    /// - Throws: `EncoderError` where there is not one encoder: that of the first device, as ``facts(of:logger:)``
    ///   throws it, or `.noEncoder` where it encodes nothing or is to be used by name only; `.noEncoder` without a
    ///   device.
    public func listEncoders() throws(EncoderError) -> [EncoderDescription] {
        try discover(logger: Logger(label: "EncoderKit.VAAPIBackend")).map(\.description)
    }

    /// Opens an encoder of a device.
    ///
    /// - Throws: `EncoderError` as ``facts(of:logger:)``; `.noEncoder` for a device or an encoder that is gone;
    ///   `.unsupported` for a profile, rate control or native option that the encoder does not have;
    ///   `.invalidValue` for what no level allows; `.conflictingSettings` for an option that a setting forbids;
    ///   `.timedOut` where a picture for trial is not coded within a second, in no mode that is left; `.deviceLost`
    ///   where the driver does not return from it; else as the driver refuses.
    public func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        guard let candidate = devices().first(where: { $0.device.description == encoder.device }) else {
            throw EncoderError(.noEncoder, reason: "\(encoder.device ?? "no device") is gone, which has \(encoder)")
        }
        let display = try VADisplayHandle(opening: candidate.device, logger: logger)
        let listed = try Self.encoders(of: candidate, on: display).first { $0.description.id == encoder.id }
        guard let listed else {
            throw EncoderError(.noEncoder, reason: "\(candidate.device) does not have \(encoder) any more")
        }
        let opening = VAEncoderOpening(
            device: candidate.device, encoder: listed, settings: settings, logger: logger)
        return VAAPIEncoder(try opening.openAgain(on: display), of: opening)
    }

    /// Refuses what no level allows, and native options that no device has or that a setting forbids; a driver is asked
    /// when the encoder is opened.
    ///
    /// - Throws: `EncoderError` with `.invalidValue` that names size, frame rate and bit rate, or the option; with
    ///   `.unsupported` or `.conflictingSettings` for an option that is known.
    public func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        _ = try VAOptions(settings)
        try StreamLevel.check(settings)
    }

    /// The encoders of all devices, in the devices' order.
    ///
    /// - Throws: `EncoderError` of the first device that has none, when no device has any.
    func discover(logger: Logger) throws(EncoderError) -> [VAListedEncoder] {
        var found: [VAListedEncoder] = []
        var failure = EncoderError(.noEncoder, reason: "no GPU: \(absence)")
        let candidates = devices()
        for (index, candidate) in candidates.enumerated() {
            do throws(EncoderError) {
                let display = try VADisplayHandle(opening: candidate.device, logger: logger)
                found += try Self.encoders(of: candidate, on: display)
            } catch {
                if index == 0 { failure = error }
                logger.debug("\(candidate.device): \(error.reason)")
            }
        }
        guard !found.isEmpty else { throw failure }
        return found
    }

    private static func encoders(
        of candidate: Candidate, on display: VADisplayHandle
    ) throws(EncoderError) -> [VAListedEncoder] {
        guard candidate.isNamed || !VAQuirks(ofDriver: display.driver).contains(.abortsInSomeBuilds) else {
            throw EncoderError(
                .noEncoder,
                reason:
                    "\(candidate.device): the driver \"\(display.driver)\" is used only for devices that the program "
                    + "names, because some of its builds abort where they encode; for GPUs from Skylake on there is the "
                    + "package intel-media-va-driver, for Broadwell intel-media-va-driver-non-free")
        }
        let answers = try VACapabilityProbe(display).answers()
        return try VAEncoderList(device: candidate.device, driver: display.driver, answers: answers).encoders()
    }
}
