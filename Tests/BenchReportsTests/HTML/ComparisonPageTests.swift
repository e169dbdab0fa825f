// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import FoundationEssentials
import MediaFiles
import PictureQuality
import TestSupport
import Testing

@testable import BenchReports
@testable import EncoderBench

/// Pages about studies that nothing was encoded for.
enum Pages {
    /// What was compared.
    static func study(clips: Int = 3) -> Study {
        Studies.study(clips: clips, metrics: [.squaredError, .structuralSimilarity, .vmaf])
    }

    /// A report with everything that a page may show.
    static func report(clips: Int = 3) throws -> ComparisonReport {
        let study = study(clips: clips)
        let measurements = Studies.measurements(study)
        var report = measurements.report(isInterrupted: false)
        report.command = "encbench compare 'a b.y4m' --html page.html"
        let time = TimedEncode(frames: 4, bytes: 1, wallSeconds: 0.1, cpuSeconds: 0.1, peakResidentBytes: 1 << 24)
        let delay = EncodeDelay(latencies: try #require(Latencies([0.1])), framesHeld: 3, frames: 4)
        let timing = TimingRounds(
            rounds: 3, seed: 1,
            measure: { point in
                var time = time
                if point.work.encoder == "x265" { (time.cpuSeconds, time.wallSeconds) = (0.25, 0.22) }
                return time
            }, measureDelay: { _, _ in delay })
        report.timing = try timing.report(measurements) { _, _ in }
        report.pictures = try report.clips.map { clip in
            func png(_ value: UInt8) throws -> [UInt8] {
                try PNG.bytes(gray: [UInt8](repeating: value, count: 64 * 48), width: 64, height: 48)
            }
            func side(_ variant: String, _ value: UInt8) throws -> PicturePlate.Side {
                PicturePlate.Side(
                    variant: variant, rate: "qp 27", bitsPerSecond: 100_000, decibels: 40, picture: try png(value),
                    difference: try png(128), frames: try #require(report.clips.first).points[0].frames)
            }
            func views(_ frame: Int) throws -> PicturePlate.Views {
                PicturePlate.Views(
                    frame: frame, region: PictureRegion(x: 0, y: 0, width: 64, height: 48), isPart: false,
                    source: try png(90), anchor: try side("x264 medium", 91), test: try side("x265 medium", 92))
            }
            let scene = try #require(clip.pairs[0].worstScenes.first)
            return PicturePlate(
                clip: clip.digest, anchor: "x264 medium", test: "x265 medium", views: .success(try views(2)),
                worst: PicturePlate.Worst(scene: scene, views: try views(3)))
        }
        return report
    }
}

@Suite struct ComparisonPageTests {
    @Test("a page has the answer first, then cost, clips and method, with every measure there is")
    func sections() throws {
        let html = ComparisonPage(report: try Pages.report()).html
        var rest = html[...]
        for part in [
            "<h1>x265 medium against x264 medium</h1>", "needed 20.0\u{202F}% fewer bytes", "class=\"answers\"",
            "\u{2212}20.0\u{202F}%", HTML.prose(Verdict.claim), "Does not hold:",
            "id=\"cost\"", "id=\"clip-1\"", "PSNR-Y dB", "VMAF", "data:image/png;base64,", "quantizer",
            "id=\"clip-3\"", "lib 1", "encbench compare 'a b.y4m' --html page.html",
        ] {
            let end = rest.firstRange(of: part)?.upperBound
            rest = rest[try #require(end, "\(part) is missing or too early")...]
        }
        // In large, the change that the sentences and tables have, and not the share of the bytes.
        let large = html.matches(of: #/<p class="big">([^<]*)</p>/#).map { String($0.1) }
        #expect(large == ["\u{2212}20.0\u{202F}%"])
    }

    @Test("nothing is fetched, nothing runs, and names are no markup")
    func selfContained() throws {
        var report = try Pages.report(clips: 1)
        report.clips[0].name = "<script>alert(1)<script>.y4m"
        let html = ComparisonPage(report: report).html
        let withoutNamespaces = html.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "")
        for forbidden in ["http:", "https:", "<script", "@import", "url(", "<link", "onload"] {
            #expect(!withoutNamespaces.contains(forbidden), "\(forbidden)")
        }
        #expect(html.contains("&lt;script&gt;"))
    }

    @Test("every picture has words for those who cannot see it, and every section a name")
    func alternatives() throws {
        let html = ComparisonPage(report: try Pages.report()).html
        let images = html.matches(of: #/<img[^>]*>/#).map { String($0.0) }
        #expect(images.count == 30 && images.allSatisfy { $0.contains(" alt=\"") && !$0.contains("alt=\"\"") })
        // Keys stand beside the words that they are drawn for.
        let drawings = html.matches(of: #/<svg[^>]*>/#).map { String($0.0) }.filter {
            !($0.contains("class=\"key ") && $0.contains("aria-hidden=\"true\""))
        }
        #expect(drawings.count == 3 * 5 + 1 && drawings.allSatisfy { $0.contains("role=\"img\" aria-label=\"") })
        let ids = Set(html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) })
        let named = html.matches(of: #/aria-labelledby="([^"]*)"/#).map { String($0.1) }
        let links = html.matches(of: #/href="#([^"]*)"/#).map { String($0.1) }
        #expect(!named.isEmpty && Set(named).isSubset(of: ids) && Set(links).isSubset(of: ids))
        #expect(ids.count == html.matches(of: #/ id="/#).count)
    }

    @Test("the worst scene has its pictures behind the typical one's, with its times and what it is")
    func worstScene() throws {
        var report = try Pages.report(clips: 1)
        report.pictures[0].worst?.scene.seconds = 1.5
        report.pictures[0].worst?.scene.duration = 0.5
        report.pictures[0].worst?.scene.testQuality = 0
        func start() -> String {
            let html = ComparisonPage(report: report).html
            let heading = "<h3>The worst scene at about equal bit rate</h3>"
            guard let place = html.firstRange(of: heading) else { return "" }
            let typical = html.firstRange(of: "<h3>Side by side at about equal bit rate</h3>")
            #expect(typical.map { $0.upperBound < place.lowerBound } == true)
            return String(html[place.upperBound...].prefix(200))
        }
        #expect(
            start().contains(
                "Frame 3, of the scene from 1.50 to 2.00 s, in which x265 medium is worst beside x264 medium."),
            "\(start())")
        report.pictures[0].worst?.scene.testQuality = 100
        #expect(start().contains("in which x265 medium gains least on x264 medium."))
        report.pictures[0].worst = nil
        #expect(start().isEmpty)
    }

    @Test("without times, pictures, scores or pairs there is a page all the same")
    func sparse() throws {
        var study = Studies.study(encoders: [.x264], quantizers: [30])
        study.points.removeLast()
        var measurements = Studies.measurements(study)
        measurements.results[study.points[0]]?.frames.values = [:]
        measurements.results[study.points[0]]?.frames.quantizers = nil
        let html = ComparisonPage(report: measurements.report(isInterrupted: true)).html
        #expect(html.contains("Interrupted: points are missing.") && html.contains("id=\"clip-1\""))
        var report = try Pages.report(clips: 1)
        report.pictures[0].views = .failure(
            EncoderBenchError(.inputChanged, reason: "the clip cannot be read any more: gone"))
        #expect(ComparisonPage(report: report).html.contains("No pictures: the clip cannot be read any more: gone."))
    }

    @Test("the method is what holds for the report: encodes and defaults only where there are any")
    func method() throws {
        let compared = ComparisonPage(report: try Pages.report()).html
        for part in [
            "Each clip was encoded", "Hollow marks", "BD-rates", "geometric means; each interval is the 95\u{202F}%",
        ] {
            #expect(compared.contains(part), "\(part)")
        }
        var study = Studies.study(clips: 2)
        study.points.removeAll(where: \.isDefault)
        study.pairs = []
        var measurements = Measurements(study: study)
        for point in study.points {
            measurements.results[point] = Studies.result(of: point, bytes: 900, decibels: 40, processor: "")
        }
        let measured = ComparisonPage(report: measurements.report(isInterrupted: false)).html
        #expect(measured.contains("Each file was decoded, and compared with its source picture by picture."))
        for part in ["Each clip was encoded", "Hollow marks", "BD-rates", "geometric means"] {
            #expect(!measured.contains(part), "\(part)")
        }
    }

    @Test("pictures of files that something else encoded were not encoded once more")
    func picturesOfFiles() throws {
        var report = try Pages.report()
        let encoded = ComparisonPage(report: report).html
        #expect(encoded.contains("of median quality. Both were encoded once more for this; "))
        report.processors = []
        let html = ComparisonPage(report: report).html
        #expect(html.contains("of median quality. x265 medium at ") && !html.contains("encoded once more"))
    }

    /// Two presets of each encoder, each of x265 against the same preset of x264.
    private func ladder() throws -> ComparisonReport {
        var report = try Pages.report(clips: 1)
        func fast(_ name: String) -> String { name.replacing("medium", with: "fast") }
        for index in report.clips.indices {
            report.clips[index].points += report.clips[index].points.map { point in
                var point = point
                point.variant = fast(point.variant)
                return point
            }
            report.clips[index].pairs += report.clips[index].pairs.map { pair in
                var pair = pair
                (pair.anchor, pair.test) = (fast(pair.anchor), fast(pair.test))
                return pair
            }
        }
        let timed = report.timing?.pairs ?? []
        report.timing?.pairs += timed.map { pair in
            var pair = pair
            (pair.anchor, pair.test) = (fast(pair.anchor), fast(pair.test))
            return pair
        }
        return report
    }

    @Test("pairs of several anchors have a cost chart each, and a warning that they rank nothing")
    func anchors() throws {
        let report = try ladder()
        let timing = try #require(report.timing)
        let figure = try #require(CostChart(report: report, timing: timing).figure)
        for anchor in ["x264 medium", "x264 fast"] {
            #expect(figure.contains("CPU time of \(anchor)</text>"), "\(figure)")
        }
        #expect(figure.components(separatedBy: "class=\"anchor\"").count == 3)
        let note =
            "Each against its own anchor: these numbers do not rank presets. --anchor 'x264 medium' compares all with one."
        #expect(report.anchorsNote == note)
        #expect(ComparisonPage(report: report).html.contains("these numbers do not rank presets"))
        #expect(report.outline.markdown.contains("do not rank presets"))
        #expect(ComparisonText(report, isVerbose: false).text.contains("\n\(note)\n"))
        #expect(try Pages.report().anchorsNote == nil)
    }

    @Test("an interval of all clips stays within its track")
    func wideInterval() throws {
        var report = try Pages.report()
        for high in [0.5, 9] {
            for index in report.overall.indices { report.overall[index].high = high }
            let html = ComparisonPage(report: report).html
            let bars = html.matches(of: #/<b class="(cut)?" style="left:([0-9.]+)%;width:([0-9.]+)%"/#)
            #expect(bars.count == 4)
            for bar in bars {
                let end = (Double(String(bar.2)) ?? 0) + (Double(String(bar.3)) ?? 0)
                #expect(end <= 100.01, "\(bar.0)")
            }
            #expect(bars.contains { $0.1 != nil } == (high == 9))
        }
    }

    @Test("Markdown has the cost too")
    func cost() throws {
        let report = try Pages.report()
        let text = report.outline.markdown
        let timing = try #require(report.timing)
        #expect(text.contains("\n" + timing.outline.markdown + "\n"))
        #expect(text.contains(" of 3 rounds.\n\n| clip | encoder | setting | threads | fps | CPU s |"))
        #expect(text.contains("| clip0.y4m | x264 medium | qp 27 | 1 | 40.0 | 0.10 | 16 | 3 | 100.0 |"), "\(text)")
        #expect(text.contains("x265 medium takes 2.50 times the CPU time of x264 medium"))
        let untimed = Studies.measurements(Studies.study()).report(isInterrupted: false)
        #expect(!untimed.outline.markdown.contains("Cost"))
    }

    @Test("a new metric's curve, column and answer need nothing but the metric")
    func metrics() throws {
        let study = Studies.study(metrics: [.xpsnr])
        let html = ComparisonPage(report: Studies.measurements(study).report(isInterrupted: false)).html
        #expect(html.contains("XPSNR") && !html.contains("PSNR 6:1:1"))
    }

    @Test("pictures and strips of a pair are of the same two encodes, which both name")
    func sameEncodes() throws {
        var report = try Pages.report(clips: 1)
        guard case .success(var views) = report.pictures[0].views else { return }
        (views.anchor.rate, views.test.rate) = ("crf 21", "crf 23.25")
        views.test.frames.bytes = [7001, 12, 13, 14]
        report.pictures[0].views = .success(views)
        let html = ComparisonPage(report: report).html
        let strips = try #require(html.components(separatedBy: "class=\"strips\"").last)
        #expect(strips.contains("x265 medium, crf 23.25: 12 to 7001 bytes a frame"))
        for name in ["x264 medium, crf 21", "x265 medium, crf 23.25"] {
            #expect(strips.contains(">\(name)</text>"), "\(name)")
        }
        #expect(html.contains("x265 medium at crf 23.25 takes"))
        #expect(html.contains("<b>x265 medium</b>, crf 23.25"))
        // Without pictures, points of nearest bit rate.
        report.pictures = []
        let plain = ComparisonPage(report: report).html
        #expect(!plain.contains("crf 23.25") && plain.contains("class=\"strips\""))
    }
}
