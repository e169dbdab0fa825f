// SPDX-License-Identifier: MIT

import Glibc

/// How many bytes the pretended encoder's pictures take where there are limits: pure, so that model and judge can ask.
enum PretendedSizes {
    /// The quantizer that the encoder chooses by itself, and the largest that it takes.
    static let (usual, coarsest) = (26, 51)
    /// What ``Operation/Change/scarceLimit`` asks for: less than 15 usual pictures take, and more than 15 key frames
    /// with the largest quantizer.
    static let scarceLimit = 500

    /// Bytes of a slice, of which six steps of the quantizer halve what is no header.
    static func slice(_ token: Int, isKey: Bool, at quantizer: Int = usual) -> Int {
        let usualBytes = isKey ? 100 + token * 53 % 120 : 10 + token * 37 % 70
        return 3 + Int(Double(usualBytes) * exp2(Double(usual - quantizer) / 6))
    }

    /// Bytes of an access unit: a slice behind its length.
    static func unit(_ token: Int, isKey: Bool, at quantizer: Int = usual) -> Int {
        2 + slice(token, isKey: isKey, at: quantizer)
    }
}
