// SPDX-License-Identifier: MIT

import CommandOptions
package import EncoderAPI

/// The encoder that made a result, as far as its output may depend on it.
package struct EncoderBuild: Codable, Hashable, Sendable {
    /// The library's or driver's name and version, as it reports them.
    package var library: String
    /// Features of the processor that libraries choose code by.
    package var features: String

    /// Describes an encoder on this machine.
    package init(_ encoder: EncoderDescription) {
        library = encoder.libraryVersion
        features = Machine.features
    }

    /// Describes what encodes some work on this machine.
    package init(of work: PointWork) async throws {
        self.init(try await work.backend.encoder(naming: try work.configuration().codec))
    }

    package init(library: String, features: String) {
        self.library = library
        self.features = features
    }
}
