// SPDX-License-Identifier: MIT

import BenchStudies
import Testing

@testable import EncoderBench

@Suite struct ClipGroupsTests {
    /// A study whose clips have sizes and groups, on which x265 needs a share of x264's bytes.
    private func report(_ clips: [(size: (Int, Int), groups: [String]?, share: Double)]) -> ComparisonReport {
        var study = Studies.study(clips: clips.count)
        for (index, clip) in clips.enumerated() {
            (study.clips[index].width, study.clips[index].height) = clip.size
            study.clips[index].groups = clip.groups
        }
        var measurements = Measurements(study: study)
        for point in study.points {
            let usual = Studies.result(of: point)
            let quantizer = Double(point.work.settings["ConstantQuantizer"].flatMap(Int.init) ?? 30)
            let bytes = Double(usual.byteCount) * (point.variant == 1 ? clips[point.clip].share / 0.8 : 1)
            measurements.results[point] = Studies.result(
                of: point, bytes: Int(bytes), decibels: 60 - quantizer * 0.7)
        }
        return measurements.report(isInterrupted: false)
    }

    @Test("clips are in the groups that the user names and in that of their size, each with its own mean")
    func groups() throws {
        let small = (176, 144), large = (1280, 720)
        let groups = report([
            (small, ["screen"], 0.9), (large, nil, 0.6), (large, ["screen", "film"], 0.5),
        ]).groups
        #expect(groups.map(\.name) == ["screen", "film", "up to 320x240", "over 720x576, up to 1280x720"])
        #expect(groups.map(\.isNamed) == [true, true, false, false])
        #expect(groups[0].clips == ["clip0.y4m", "clip2.y4m"] && groups[3].clips == ["clip1.y4m", "clip2.y4m"])
        let changes = groups.compactMap { $0.answers.first { $0.score == "psnr_y_db" }?.rateChange }
        let expected = [(0.9 * 0.5).squareRoot(), 0.5, 0.9, (0.6 * 0.5).squareRoot()].map { $0 - 1 }
        #expect(changes.count == 4 && zip(changes, expected).allSatisfy { abs($0 - $1) < 3e-3 }, "\(changes)")
        #expect(groups[0].answers.first?.clips == 2)
    }

    @Test("clips of one size are no group, and one clip in a named group is one")
    func few() {
        #expect(report([((640, 480), nil, 0.8), ((480, 640), nil, 0.7)]).groups.isEmpty)
        // CIF beside 360 and 576 rows.
        #expect(report([((352, 288), nil, 0.8), ((640, 360), nil, 0.7), ((720, 576), nil, 0.7)]).groups.isEmpty)
        #expect(report([((640, 480), ["own"], 0.8)]).groups.map(\.name) == ["own"])
    }

    @Test(
        "sizes are classes by their samples, whatever the shape, and every size has one",
        arguments: [
            ((176, 144), "up to 320x240"), ((240, 320), "up to 320x240"), ((321, 240), "over 320x240, up to 720x576"),
            ((1280, 720), "over 720x576, up to 1280x720"), ((1080, 1920), "over 1280x720, up to 1920x1080"),
            ((1920, 1088), "over 1920x1080"), ((65535, 65535), "over 1920x1080"), ((1, 1), "up to 320x240"),
        ])
    func sizes(size: (Int, Int), name: String) { #expect(SizeClass(width: size.0, height: size.1).name == name) }

    @Test("an interval that holds no change is not decided, and one that ends at it neither")
    func undecided() throws {
        func isUndecided(_ low: Double?, _ high: Double?) -> Bool {
            ComparisonReport.Overall(
                anchor: "a", test: "b", score: "psnr_y_db", rateChange: 0, low: low, high: high, clips: 3
            ).isUndecided
        }
        #expect(isUndecided(-0.1, 0.1) && isUndecided(-0.1, 0) && isUndecided(0, 0.1))
        #expect(!isUndecided(-0.2, -0.1) && !isUndecided(0.1, 0.2) && !isUndecided(nil, nil))
        let open = report([0.85, 0.9, 0.8, 1.15].map { ((64, 48), ["all"], $0) })
        #expect(open.overall.first?.isUndecided == true && open.groups[0].answers.first?.isUndecided == true)
    }
}
