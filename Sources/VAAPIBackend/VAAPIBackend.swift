// SPDX-License-Identifier: MIT

public import EncoderAPI
public import Logging

/// Finds VA-API devices and says what they are; encoding with them is not part of this version.
///
/// ``listEncoders()`` therefore never lists an encoder: it says which of the steps towards one fails on this machine.
public struct VAAPIBackend: EncoderBackend {
    /// "vaapi".
    public let identifier = "vaapi"
    private let directory: String

    /// Makes a back end that looks for devices under /dev/dri.
    public init() { directory = RenderNode.defaultDirectory }

    /// Looks for devices elsewhere, for tests.
    init(directory: String) { self.directory = directory }

    /// The name that the driver of a node gives itself.
    ///
    /// - Parameters:
    ///   - node: The node to open; it is closed again.
    ///   - logger: Where libva's messages go.
    /// - Returns: The vendor string.
    /// - Throws: ``EncoderError`` that says what is missing and how to get it.
    public static func driver(of node: RenderNode, logger: Logger) throws(EncoderError) -> String {
        try VADisplayHandle(opening: node, logger: logger).driver
    }

    /// Never returns an encoder in this version; opens the first device, which may take its time.
    ///
    /// - Throws: ``EncoderError`` with `.noEncoder` where there is no GPU, `.backendFailure` where one cannot be opened,
    ///   `.unsupported` where only this version is in the way.
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
        guard let node = RenderNode.all(in: directory).first else {
            return EncoderError(
                .noEncoder,
                reason:
                    "no GPU: \(directory) has no render node (renderD128 and up). In a container, pass the device in")
        }
        do throws(EncoderError) {
            let driver = try Self.driver(of: node, logger: logger)
            return EncoderError(
                .unsupported,
                reason: "\(node.path) works (\(driver)), but this version of EncoderKit does not encode with VA-API")
        } catch {
            return error
        }
    }
}
