// SPDX-License-Identifier: MIT

import Testing

@testable import PictureQuality

@Suite struct ScoreTests {
    private func table(_ errors: [Double], similarity: Double? = 0.9, chroma: Double = 1) -> FrameTable {
        FrameTable(
            bitDepth: 8, bytes: errors.map { _ in 1 }, types: errors.map { _ in "p" },
            isSync: errors.map { _ in false },
            values: [
                "mse_y": errors, "mse_cb": errors.map { _ in chroma }, "mse_cr": errors.map { _ in 0 },
                "ssim_y": errors.map { _ in similarity },
            ])
    }

    private func value(_ id: String, _ frames: FrameTable) throws -> Double? {
        try #require(Score.named(id)).value(frames)
    }

    @Test("the ratio of the mean error and the mean of the ratios are kept apart, and the worst frame is known")
    func forms() throws {
        let frames = table([1, 100, 1])
        let one = 48.130803608679
        #expect(abs(try #require(try value("psnr_y_db", frames)) - (one - 15.3147891704)) < 1e-6)
        #expect(abs(try #require(try value("psnr_y_mean_of_frames_db", frames)) - (one - 20.0 / 3)) < 1e-9)
        #expect(abs(try #require(try value("psnr_y_worst_frame_db", frames)) - (one - 20)) < 1e-9)
        let weighted = (6 * (one - 15.3147891704) + one + 100) / 8
        #expect(abs(try #require(try value("psnr_weighted_6_1_1_db", frames)) - weighted) < 1e-6)
        #expect(abs(try #require(try value("ssim_y_db", frames)) - 10) < 1e-9)
    }

    @Test("pictures that equal their sources have no finite ratio, and their similarity is 1")
    func lossless() throws {
        let frames = table([0, 0], similarity: 1, chroma: 0)
        for id in ["psnr_y_db", "psnr_weighted_6_1_1_db", "ssim_y_db"] { #expect(try value(id, frames) == .infinity) }
        #expect(try value("ssim_y", frames) == 1)
    }

    @Test("a value that one picture is too small for leaves its scores out")
    func gaps() throws {
        #expect(try value("ssim_y", table([1], similarity: nil)) == nil)
        #expect(try value("psnr_y_db", FrameTable(bitDepth: 8)) == nil)
    }

    @Test("XPSNR averages the roots of errors, and pictures that equal their sources are infinitely good")
    func weightedErrors() throws {
        let frames = FrameTable(
            bitDepth: 8, bytes: [1, 1], types: ["i", "p"], isSync: [true, false],
            values: ["xpsnr_mse_y": [1e-4, 9e-4], "xpsnr_mse_cb": [0, 0], "xpsnr_mse_cr": [1e-2, 1e-2]])
        #expect(abs(try #require(try value("xpsnr_y_db", frames)) - 33.9794000867) < 1e-9)
        #expect(try value("xpsnr_cb_db", frames) == .infinity)
        #expect(abs(try #require(try value("xpsnr_minimum_db", frames)) - 20) < 1e-9)
    }

    @Test("names of scores and columns are told apart, and the first score makes the headline")
    func names() {
        let scores = Metric.all.scores
        #expect(Set(scores.map(\.id)).count == scores.count)
        let columns = Metric.all.flatMap(\.columns)
        #expect(Set(columns).count == columns.count)
        let usual = Metric.usual.scores
        #expect(usual.compared.first?.id == "psnr_y_db" && usual.shown.map(\.id).contains("ssim_y"))
        // What a search is about has to be a number that tables show.
        #expect(Metric.all.allSatisfy { $0.scores.first?.use == .shown })
    }
}
