// SPDX-License-Identifier: MIT

import CommandOptions
import Testing

@testable import BenchReports
@testable import EncoderBench

@Suite struct KeyFrameTextTests {
    /// An encode of 900 bytes with key frames at some times, which takes so many bytes with them at equal quality.
    private func entry(_ seconds: [Double], bytes: Double?, others: [Int] = [0]) -> KeyFrameReport.Entry {
        KeyFrameReport.Entry(
            clip: "a.y4m", variant: "x264", library: "lib 1", rate: "crf 25", frames: 100,
            keyFrames: seconds.enumerated().map { index, time in
                KeyFrameReport.KeyFrame(
                    frame: index + 1, seconds: time, isIDR: true, bytes: 2, plainBytes: 1, psnr: 40, plainPSNR: 40,
                    dip: 0)
            }, otherKeyFrames: others, bytes: 1000, plainBytes: 900, psnr: 40.2, plainPSNR: 40,
            bytesAtEqualQuality: bytes, equalQualityRates: bytes == nil ? [] : ["crf 25", "crf 26"], intervals: [],
            adjustments: [])
    }

    @Test("what key frames cost is told at the same quality, with their pace where they have one")
    func sentences() {
        #expect(
            entry([1, 2, 3], bytes: 990).equalQualityText
                == "At the same quality (PSNR-Y 40.00 dB), 3 forced key frames, one every 1.00 s, take 10.0 % more bytes, "
                + "between crf 25 and crf 26.")
        #expect(entry([1, 2, 2.5], bytes: 855).equalQualityText.contains("3 forced key frames take 5.0 % fewer bytes"))
        #expect(entry([1, 2.08, 3.1], bytes: 855).equalQualityText.contains("one every 1.03 s, take"))
        #expect(entry([0.5], bytes: 909).equalQualityText.contains("1 forced key frame, one every 0.50 s, takes 1.0 %"))
        #expect(
            entry([0.5], bytes: nil).equalQualityText
                == "What 1 forced key frame costs at the same quality is not known: no two encodes lie around it.")
    }

    @Test("the cost at the same setting stands below it, with the PSNR that it changes")
    func report() {
        var report = KeyFrameReport(failures: [])
        report.entries = [entry([1, 2, 3], bytes: 990)]
        let text = report.text(width: nil)
        let bytes = "\(Format.grouped(1000)), without 900"
        let cost = "At the same setting they cost +11.1 % of the bytes (\(bytes)) and +0.20 dB of PSNR-Y.\n"
        #expect(
            text.contains("between crf 25 and crf 26.\n" + cost),
            "\(text)")
        #expect(text.contains("x264, crf 25, 100 frames\n"), "\(text)")
        #expect(text.contains("3 of 3 forced key frames are IDR; 1 more at 0.\n"))
    }

    @Test("one key frame is told in the singular, and nothing is said of others where there are none")
    func single() {
        var report = KeyFrameReport(failures: [])
        report.entries = [entry([0], bytes: 990, others: [])]
        report.entries[0].frames = 1
        let text = report.text(width: nil)
        #expect(text.contains("a.y4m, x264, crf 25, 1 frame\n"), "\(text)")
        #expect(text.contains("\n1 of 1 forced key frame is IDR.\n"), "\(text)")
        #expect(text.contains("At the same setting it costs +11.1 %"), "\(text)")
    }
}
