// SPDX-License-Identifier: MIT

package import ArgumentParser
package import VAAPIBackend

/// Which device of an encoder that has several.
package struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The device that vaapi uses: a render node such as /dev/dri/renderD128, or x11 or x11:1 for the GPU behind an X \
            server. Default: all render nodes.
            """, valueName: "path"),
        transform: OptionParsing.device)
    package var device: VADevice?

    package init() {}

    /// Refuses a device that none of the encoders can use.
    package func check(isFor kinds: [EncoderKind]) throws(OptionError) {
        guard let device, let first = kinds.first, kinds.allSatisfy({ $0.makeBackendOnDevice == nil }) else { return }
        _ = try first.backend(on: device)
    }

    /// The encoders that were asked for, or else all, and only those that have devices where one is named.
    ///
    /// - Throws: ``OptionError`` where an encoder that was asked for has no devices.
    package func encoders(_ asked: [EncoderKind]) throws(OptionError) -> [EncoderKind] {
        for kind in asked { _ = try kind.backend(on: device) }
        if !asked.isEmpty { return asked }
        return EncoderKind.allCases.filter { device == nil || $0.makeBackendOnDevice != nil }
    }
}

extension OptionParsing {
    /// A render node by its path, or the GPU of an X server on this machine.
    package static func device(_ text: String) throws(OptionError) -> VADevice {
        if text.hasPrefix("/") { return .renderNode(RenderNode(path: text)) }
        if text == "x11" { return .x11() }
        if text.hasPrefix("x11:"), text.dropFirst(4).first?.isWholeNumber == true {
            return .x11(display: String(text.dropFirst(3)))
        }
        throw OptionError(
            .malformed, "'\(text)', expected the path of a render node such as /dev/dri/renderD128, x11 or x11:1")
    }
}
