// SPDX-License-Identifier: MIT

/// What this program costs beside the libraries' own and ffmpeg, at the same streams.
package struct OverheadReport: MachineReport, Codable, Equatable {
    /// One encoder on one clip.
    package struct Entry: Codable, Equatable, Sendable {
        package var clip: String
        /// "x264 medium".
        package var variant: String
        package var library: String
        /// What decided the bits: "crf 21".
        package var rate: String
        package var frames: Int
        package var race: ProgramRace.Outcome

        package init(
            clip: String, variant: String, library: String, rate: String, frames: Int, race: ProgramRace.Outcome
        ) {
            self.clip = clip
            self.variant = variant
            self.library = library
            self.rate = rate
            self.frames = frames
            self.race = race
        }
    }

    package var schemaVersion = 1
    /// The version of this program.
    package var encbench = EncoderBenchVersion.current
    package var machine: Machine = .current()
    package var rounds: Int
    /// What the order of the encodes followed from.
    package var seed: UInt64
    /// Cores that other processes kept busy meanwhile, on average; nil where the system does not tell.
    package var othersCores: Double?
    package var entries: [Entry] = []
    package var failures: [Study.Failure] = []
    package var isInterrupted = false

    package init(
        schemaVersion: Int = 1, encbench: String = EncoderBenchVersion.current,
        machine: Machine = .current(), rounds: Int, seed: UInt64, othersCores: Double? = nil, entries: [Entry] = [],
        failures: [Study.Failure] = [], isInterrupted: Bool = false
    ) {
        self.schemaVersion = schemaVersion
        self.encbench = encbench
        self.machine = machine
        self.rounds = rounds
        self.seed = seed
        self.othersCores = othersCores
        self.entries = entries
        self.failures = failures
        self.isInterrupted = isInterrupted
    }

    enum CodingKeys: String, CodingKey {
        case encbench, machine, rounds, seed, entries, failures
        case schemaVersion = "schema_version"
        case othersCores = "others_cores"
        case isInterrupted = "interrupted"
    }
}
