// SPDX-License-Identifier: MIT

import ArgumentParser
import EncoderAPI
import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import MediaFiles
@testable import encbench

@Suite struct ComparisonTests {
    private func point(_ encoder: String, _ rate: Double, _ psnr: Double, cpu: Double = 1) throws -> ComparisonPoint {
        let error = 255 * 255 / pow10(psnr / 10)
        let plane = PlaneDifference(meanSquaredError: error, structuralSimilarity: 1 - 1 / pow10(psnr / 20))
        let quality = try #require(
            QualitySummary([PictureQuality(y: plane, cb: plane, cr: plane, bitDepth: 8)]))
        return ComparisonPoint(
            encoder: encoder, library: "lib \(encoder)", preset: "medium", rate: "crf \(Int(psnr))", frames: 1,
            bytes: Int(rate / 8), bitsPerSecond: rate, quality: quality, encodeFramesPerSecond: 10, wallSeconds: 1,
            cpuSeconds: cpu, command: nil, adjustments: [])
    }

    private func pow10(_ exponent: Double) -> Double {
        var result = 1.0
        let base = exponent / 1024
        var small = 1.0
        for term in 1..<12 {
            small *= base * 2.302585092994046 / Double(term)
            result += small
        }
        for _ in 0..<10 { result *= result }
        return result
    }

    @Test("a curve of half the rate at every quality needs 50 %, by every measure and join")
    func halfRate() throws {
        let qualities = [34.0, 37, 40, 43, 45]
        let anchor = try qualities.map { try point("x264", 1000 * $0 * $0, $0, cpu: 2) }
        let test = try qualities.map { try point("x265", 500 * $0 * $0, $0, cpu: 5) }
        let pair = PairComparison(
            anchor: anchor, test: test, anchorDefault: anchor[3], testDefault: test[1])
        #expect(pair.anchor == "x264 medium" && pair.test == "x265 medium" && pair.refusals.isEmpty)
        #expect(pair.equalQuality.map(\.measure) == ["PSNR-Y", "PSNR 6:1:1", "SSIM", "SSIM dB"])
        for result in pair.equalQuality {
            for change in [result.pchip, result.akima, result.cubic, result.lowerHalf, result.upperHalf] {
                #expect(abs(change + 0.5) < 1e-6, "\(result.measure)")
            }
            #expect(abs(result.anchorShare - 1) < 1e-9)
        }
        #expect(abs((pair.cpuRatio ?? 0) - 2.5) < 1e-9)
        let naive = try #require(pair.atDefaults)
        #expect(abs(naive.psnrYDifference + 6) < 1e-6)
        #expect(abs(naive.sizeRatio - Double(test[1].bytes) / Double(anchor[3].bytes)) < 1e-12)
    }

    @Test("without four points there is no answer at equal quality, and the reason is given")
    func tooFewPoints() throws {
        let anchor = try [35.0, 40].map { try point("x264", 1000 * $0, $0) }
        let pair = PairComparison(anchor: anchor, test: anchor, anchorDefault: nil, testDefault: nil)
        #expect(pair.equalQuality.isEmpty && pair.refusals.count == 4 && pair.atDefaults == nil)
        #expect(pair.refusals[0] == "PSNR-Y: the anchor curve has 2 points, expected 4 or more")
    }

    @Test("geometric means let doubling and halving cancel out")
    func geometricMean() throws {
        #expect(abs(try #require(PairComparison.geometricMean([2, 0.5])) - 1) < 1e-12)
        #expect(PairComparison.geometricMean([]) == nil)
        #expect(PairComparison.geometricMean([1, 0]) == nil)
    }

    @Test("the text says what it costs at equal quality, and what the first sight leaves out")
    func text() throws {
        let anchor = try [34.0, 37, 40, 43].map { try point("x264", 1000 * $0 * $0, $0) }
        let test = try [34.0, 37, 40, 43].map { try point("x265", 800 * $0 * $0, $0) }
        let pair = PairComparison(anchor: anchor, test: test, anchorDefault: anchor[3], testDefault: test[2])
        let clip = ComparisonReport.ClipResult(
            name: "a.y4m", width: 64, height: 48, pixelFormat: "i420", framesPerSecond: 25, frames: 1, seconds: 0.04,
            isCut: false, isLossySource: false, points: anchor + test, defaultPoints: [], pairs: [pair],
            warnings: ["take care"])
        let machine = Machine(processor: "CPU", threads: 2, loadAverage: 0.5)
        let text = ComparisonText.text(
            ComparisonReport(machine: machine, threadsPerEncoder: 1, clips: [clip, clip], peakResidentBytes: 1 << 20))
        for part in [
            "a.y4m: 64x48 i420, 25.00 frames/s, 1 frames", "x265 medium against x264 medium, which counts as 100 %:",
            "At equal quality it needs 80.0 % of the bytes (PSNR-Y, BD-rate -20.0 %)",
            "but PSNR-Y is 3.0 dB lower: not the same quality", "CPU time: 1.00 times", "Note: take care.",
            "x265 medium against x264 medium: -20.0 % over 2 of 2 clips", "Measured on CPU, 2 hardware threads",
            "Libraries: lib x264; lib x265",
        ] { #expect(text.contains(part), "\(part) in\n\(text)") }
    }

    @Test("a source compressed with loss is warned of, and so are the points above half of its rate")
    func lossySource() throws {
        let source = GraySource(count: 3)
        var clip = try Clip(reading: source, name: "a", frameLimit: nil)
        let points = try [point("x264", 400, 30), point("x265", 600, 31)]
        #expect(ComparisonReport.ClipResult.warnings(clip: clip, points: points).isEmpty)
        var info = clip.info
        info.isLossy = true
        info.bitRate = 1000
        clip = Clip(name: "a", info: info, frames: clip.frames, isCut: false)
        let warnings = ComparisonReport.ClipResult.warnings(clip: clip, points: points)
        #expect(warnings.count == 2)
        #expect(warnings.last?.hasSuffix("where differences vanish: x265 crf 31") == true, "\(warnings)")
    }

    @Test("a clip is read as far as asked, and says when there is more")
    func clipLimits() throws {
        let all = try Clip(reading: GraySource(count: 5), name: "a", frameLimit: nil)
        #expect(all.frames.count == 5 && !all.isCut && abs(all.seconds - 0.2) < 1e-12)
        let some = try Clip(reading: GraySource(count: 5), name: "a", frameLimit: 3)
        #expect(some.frames.count == 3 && some.isCut)
        #expect(throws: MediaFileError.self) { try Clip(reading: GraySource(count: 0), name: "a", frameLimit: nil) }
        let replay = some.makeSource()
        var count = 0
        while try replay.next() != nil { count += 1 }
        #expect(count == 3)
    }

    @Test("presets are paired by name or one by one")
    func presets() throws {
        #expect(try OptionParsing.presets("fast,slow:veryfast") == [["fast"], ["slow", "veryfast"]])
        #expect(throws: OptionError.self) { try OptionParsing.presets("slow:") }
        let same = ClipComparison.curves([.x264, .x265], ["fast"])
        #expect(same.map(\.preset) == ["fast", "fast"])
        let own = ClipComparison.curves([.x264, .x265], ["slow", "veryfast"])
        #expect(own == [.init(kind: .x264, preset: "slow"), .init(kind: .x265, preset: "veryfast")])
    }

    @Test("each encoder has default points, and a list replaces them for all")
    func rateLists() throws {
        let defaults = try RateListOptions.parse([])
        #expect(defaults.rates(for: .x264).count == 5 && defaults.rates(for: .x265).count == 5)
        let list = try RateListOptions.parse(["--qp", "22,27"])
        #expect(list.rates(for: .x265) == [.constantQuantizer(22), .constantQuantizer(27)])
        #expect(throws: (any Error).self) { try RateListOptions.parse(["--qp", "22", "--crf", "3"]) }
    }
}

@Suite struct ProgramCommandTests {
    @Test("the programs' command lines say what the session does")
    func lines() {
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 48)
        settings.request.preset = "slow"
        settings.live.rate = .init(.constantRateFactor(21))
        settings.request.threadCount = 1
        #expect(
            ProgramCommand.line(.x264, settings) == "x264 --threads 1 --preset slow --crf 21 -o out.264 in.y4m")
        settings.live.rate = .init(
            .averageBitRate(800_000), buffer: BufferModel(peakBitsPerSecond: 1_200_000, bits: 900_000))
        settings.live.maxKeyFrameInterval = 50
        settings.request.nativeOptions = [NativeOption("aq-mode", "2")]
        #expect(
            ProgramCommand.line(.x265, settings)
                == "x265 --pools none --frame-threads 1 --no-open-gop --no-info --preset slow --bitrate 800 "
                + "--vbv-maxrate 1200 --vbv-bufsize 900 --keyint 50 --aq-mode 2 -o out.hevc in.y4m")
        #expect(ProgramCommand.line(.vaapi, settings) == nil)
        settings.request.realTime = true
        #expect(ProgramCommand.line(.x265, settings) == nil)
    }
}
