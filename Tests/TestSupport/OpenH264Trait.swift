// SPDX-License-Identifier: MIT

import OpenH264Backend
public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, where libopenh264 is not installed.
    ///
    /// A trait for `@Test` and `@Suite`.
    public static var requiresOpenH264: Self {
        do {
            _ = try OpenH264Backend().listEncoders()
            return .enabled(if: true)
        } catch {
            return .enabled(if: false, "SKIPPED, needs libopenh264: \(error)")
        }
    }
}
