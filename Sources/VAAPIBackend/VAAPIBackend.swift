// SPDX-License-Identifier: MIT

public import EncoderAPI
public import Logging

/// Finds VA-API devices and says what they are; encoding with them is not part of this version.
///
/// ``listEncoders()`` therefore never lists an encoder: it says which of the steps towards one fails on this machine.
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

    /// The name that the driver of a node gives itself.
    ///
    /// - Parameters:
    ///   - node: The node to open; it is closed again.
    ///   - logger: Where libva's messages go.
    /// - Returns: The vendor string.
    /// - Throws: ``EncoderError`` that says what is missing and how to get it.
    public static func driver(of node: RenderNode, logger: Logger) throws(EncoderError) -> String {
        try VADisplayHandle(opening: .renderNode(node), logger: logger).driver
    }

    /// Never returns an encoder in this version; opens all devices, which may take its time.
    ///
    /// - Throws: ``EncoderError`` with `.noEncoder` where there is no libva, no GPU, or none that encodes, `.backendFailure` where
    ///   none can be opened, `.unsupported` with the encoders found where only this version is in the way.
    public func listEncoders() throws(EncoderError) -> [EncoderDescription] {
        throw unavailable(logger: Logger(label: "EncoderKit.VAAPIBackend"))
    }

    /// Always refuses in this version.
    ///
    /// - Throws: ``EncoderError`` as ``listEncoders()``.
    public func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        throw unavailable(logger: logger)
    }

    /// Does nothing: no encoder is listed in this version.
    public func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {}

    private func unavailable(logger: Logger) -> EncoderError {
        do throws(EncoderError) {
            let found = try discover(logger: logger).map { "\($0.description)" }.joined(separator: ", ")
            return EncoderError(
                .unsupported, reason: "this version of EncoderKit does not encode with VA-API, where it found \(found)")
        } catch {
            return error
        }
    }

    /// The encoders of all devices, in the devices' order.
    ///
    /// - Throws: ``EncoderError`` of the first device that has none, when no device has any.
    func discover(logger: Logger) throws(EncoderError) -> [VAListedEncoder] {
        var found: [VAListedEncoder] = []
        var failure = EncoderError(.noEncoder, reason: "no GPU: \(absence)")
        let candidates = devices()
        for (index, candidate) in candidates.enumerated() {
            do throws(EncoderError) {
                found += try Self.encoders(of: candidate, logger: logger)
            } catch {
                if index == 0 { failure = error }
                logger.debug("\(candidate.device): \(error.reason)")
            }
        }
        guard !found.isEmpty else { throw failure }
        return found
    }

    private static func encoders(of candidate: Candidate, logger: Logger) throws(EncoderError) -> [VAListedEncoder] {
        let display = try VADisplayHandle(opening: candidate.device, logger: logger)
        guard candidate.isNamed || !VAQuirks(ofDriver: display.driver).contains(.abortsInSomeBuilds) else {
            throw EncoderError(
                .noEncoder,
                reason:
                    "\(candidate.device): the driver \"\(display.driver)\" is used only for devices that the program "
                    + "names, because some of its builds abort where they encode; GPUs from Broadwell on have the package "
                    + "intel-media-va-driver")
        }
        let answers = try VACapabilityProbe(display).answers()
        return try VAEncoderList(device: candidate.device, driver: display.driver, answers: answers).encoders()
    }
}
