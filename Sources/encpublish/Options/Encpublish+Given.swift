// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions

extension Encpublish {
    /// The names of all options that were given, but for those that say what is read and where to.
    var given: [String] {
        let own = OptionParsing.given([
            "--record-after": recordAfter != nil, "--copy": copy, "--json": json != nil, "--plan": plan,
            "--verbose": verbose, "--encoder": encoding.encoder != nil, "--codec": encoding.codec != nil,
            "--encoding": !encoding.named.isEmpty, "--size": source.size != nil,
            "--format": source.raw.format != nil, "--frame-rate": source.frameRate != nil,
            "--duration": source.duration != nil, "--pace": source.pace != nil, "--sound": source.sound != nil,
            "--rotate": capture.rotate != nil, "--skip-dark": capture.skipDark != nil,
            "--adapt": connections.adapt, "--adapt-floor": connections.adaptFloor != nil,
        ])
        return own + encoding.given + rate.given + source.soundOptions + segments.given + connections.given
            + connections.givenForCertificates
    }
}
