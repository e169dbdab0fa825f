// SPDX-License-Identifier: MIT

extension Metric {
    /// SSIMULACRA 2 (Sneyers, 2022), made for pictures that stand still: 90 is hard to tell from the original beside
    /// it, 70 good, 50 medium, 30 poor; there is no smallest.
    package static let ssimulacra2 = Metric(
        name: "ssimulacra2", columns: ["ssimulacra2"],
        method: .pictures(
            PictureProgram(
                name: "ssimulacra2", range: -1e6...100,
                source: "libjxl 0.8 and later have one, and 'pip install ssimulacra2' brings one named ssymulacra2")),
        scores: [
            Score(
                id: "ssimulacra2", title: "SSIMULACRA 2", unit: nil, decimals: 2, use: .shown, maximum: 100,
                meaning: "how near single pictures come to their source for an eye, of at most 100"
            ) { $0.mean("ssimulacra2") },
            Score(
                id: "ssimulacra2_worst_frame", title: "SSIMULACRA 2 of the worst frame", unit: nil, decimals: 2,
                use: .kept
            ) { $0.column("ssimulacra2")?.min() },
        ])
}
