// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Glibc
import Logging

/// Sole owner of one initialised VADisplay and of the render node behind it.
struct VADisplayHandle: ~Copyable {
    private let display: VADisplay
    private let descriptor: Int32
    /// What the driver calls itself, such as "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1".
    let driver: String

    /// Opens a node and loads the driver for it.
    init(opening node: RenderNode, logger: Logger) throws(EncoderError) {
        let descriptor = try node.open()
        guard let display = vaGetDisplayDRM(descriptor) else {
            close(descriptor)
            throw EncoderError(.backendFailure, reason: "\(node.path): libva knows no such device")
        }
        // libva prints to stderr unless told otherwise; what it has to say is in the error or not worth saying.
        vaSetErrorCallback(display, { _, _ in }, nil)
        vaSetInfoCallback(display, { _, _ in }, nil)
        var (major, minor): (Int32, Int32) = (0, 0)
        let status = vaInitialize(display, &major, &minor)
        guard status == VA_STATUS_SUCCESS else {
            vaTerminate(display)
            close(descriptor)
            throw EncoderError(
                .backendFailure,
                reason: "\(node.path): no VA-API driver: \(String(cString: vaErrorStr(status))); Intel GPUs from "
                    + "Broadwell on need the package intel-media-va-driver", status: Int(status))
        }
        self.display = display
        self.descriptor = descriptor
        driver = vaQueryVendorString(display).map { String(cString: $0) } ?? "unnamed driver"
        logger.debug("\(node.path): VA-API \(major).\(minor), \(driver)")
    }

    deinit {
        vaTerminate(display)
        close(descriptor)
    }
}
