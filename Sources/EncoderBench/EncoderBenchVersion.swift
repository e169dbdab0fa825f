// SPDX-License-Identifier: MIT

/// The version that results and reports name.
package enum EncoderBenchVersion {
    /// The version of this package.
    package static let current = "0.1.0"
}
