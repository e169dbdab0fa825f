// SPDX-License-Identifier: MIT

import CommandOptions
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

    /// Describes what encodes some work on this machine.
    init(of work: PointWork) async throws {
        self.init(try await work.backend.encoder(naming: try work.configuration().codec))
    }

    init(library: String, features: String) {
        self.library = library
        self.features = features
    }
}
