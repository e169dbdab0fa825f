// SPDX-License-Identifier: MIT

import EncoderAPI

/// The encoder that made a result, as far as its output may depend on it.
struct EncoderBuild: Codable, Hashable, Sendable {
    /// The library's or driver's name and version, as it reports them.
    var library: String
    /// Features of the processor that libraries choose code by.
    var features: String

    /// Describes an encoder on this machine.
    init(_ encoder: EncoderDescription) {
        library = encoder.libraryVersion
        features = Machine.features
    }

    init(library: String, features: String) {
        self.library = library
        self.features = features
    }
}
