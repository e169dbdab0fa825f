// SPDX-License-Identifier: MIT

import FoundationEssentials

/// How long tests wait for what must not hang.
public enum Patience {
    /// The environment variable that sets ``seconds``, for runs that are slow by nature, as under a sanitizer.
    public static let environmentVariable = "ENCODERKIT_PATIENCE"

    /// Seconds for one call of an encoder; 10 by default.
    public static let seconds =
        ProcessInfo.processInfo.environment[environmentVariable].flatMap { Double($0) } ?? 10
}
