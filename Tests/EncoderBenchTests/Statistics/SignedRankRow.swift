// SPDX-License-Identifier: MIT

import Testing

struct SignedRankRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let differences: [Double]
    let statistic: Double
    let probability: Double

    static let all = [
        SignedRankRow(
            testDescription: "scipy's example, Darwin's maize",
            differences: [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75],
            statistic: 24.0, probability: 0.041259765625),
        SignedRankRow(
            testDescription: "R's example, Hamilton's scale of depression",
            differences: [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01],
            statistic: 5.0, probability: 0.0390625),
        SignedRankRow(
            testDescription: "2 normal differences",
            differences: [1.588185, 1.749446],
            statistic: 0.0, probability: 0.5),
        SignedRankRow(
            testDescription: "5 normal differences",
            differences: [0.366336, -0.464544, -0.792173, 0.331335, -0.722103],
            statistic: 3.0, probability: 0.3125),
        SignedRankRow(
            testDescription: "6 normal differences",
            differences: [-1.136829, 0.499312, 0.433375, 0.846468, -0.613971, 0.305005],
            statistic: 10.0, probability: 1.0),
        SignedRankRow(
            testDescription: "13 normal differences",
            differences: [
                0.235258, -1.205829, 0.837997, 0.620711, 2.689112, 0.502969, 0.155298, 1.532757, 0.498791, 1.209031,
                -0.065544, 0.518172, 1.324289,
            ],
            statistic: 10.0, probability: 0.010498046875),
        SignedRankRow(
            testDescription: "30 normal differences",
            differences: [
                0.996247, 0.428472, -0.782308, 0.745222, 0.376863, 1.020468, 0.516233, 1.388185, 0.24844, 0.501964,
                0.966776, -0.786885, -0.10166, -0.200029, 2.280616, 0.207138, 0.95222, 0.919375, 0.019127, -1.250837,
                1.264844, -0.107197, 1.017957, -1.005265, -0.137983, 1.556821, 1.731004, -1.002459, -1.032807, 0.255736,
            ],
            statistic: 133.0, probability: 0.04048972204327583),
        SignedRankRow(
            testDescription: "50 normal differences",
            differences: [
                1.028241, 0.460505, 0.603555, -0.688836, 0.886792, 1.416852, -0.135673, -1.133488, -0.458821, 1.061658,
                -1.433697, 0.208123, -0.691008, 0.168866, 0.055478, 0.315857, 1.801207, 0.72071, 1.633713, 0.158587,
                -0.179587, 0.678811, -2.535791, 0.260111, 0.46017, -0.935209, 0.764365, -0.259245, -2.1591, 0.086682,
                -0.678846, -0.220596, 0.147716, 1.550975, 0.403148, 0.271514, 0.689004, -1.512092, 1.540124, -0.777087,
                0.739095, -0.82678, -0.676485, -0.096288, 2.195748, 0.997664, -0.304196, 0.01569, -0.851399, 0.26584,
            ],
            statistic: 536.0, probability: 0.3325668996889135),
        SignedRankRow(
            testDescription: "6 differences with ties",
            differences: [1.0, 2.0, 1.0, -2.0, 3.0, 3.0],
            statistic: 3.5, probability: 0.1875),
        SignedRankRow(
            testDescription: "9 differences with ties",
            differences: [3.0, 3.0, 1.0, 2.0, 3.0, -2.0, -1.0, -1.0, 3.0],
            statistic: 8.5, probability: 0.1015625),
        SignedRankRow(
            testDescription: "12 differences with ties",
            differences: [3.0, -1.0, -2.0, 3.0, 1.0, -2.0, -2.0, -2.0, -2.0, 2.0, -2.0, 1.0],
            statistic: 34.0, probability: 0.67529296875),
    ]
}
