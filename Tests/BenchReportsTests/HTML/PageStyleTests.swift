// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import BenchReports

@Suite struct PageStyleTests {
    /// WCAG 2's relative luminance of "#rrggbb".
    private func luminance(_ color: String) throws -> Double {
        let value = try #require(Int(color.dropFirst(), radix: 16))
        let parts = [16, 8, 0].map { shift in
            let share = Double(value >> shift & 0xFF) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private func contrast(_ first: String, _ second: String) throws -> Double {
        let values = try [luminance(first), luminance(second)].sorted()
        return (values[1] + 0.05) / (values[0] + 0.05)
    }

    @Test("words have a contrast of 4.5 to 1 or more with all that is behind them", arguments: [false, true])
    func contrast(isDark: Bool) throws {
        let colors = Dictionary(
            uniqueKeysWithValues: (isDark ? PageStyle.dark : PageStyle.light).map { ($0.key, $0.value) })
        let words = ["fg", "soft"] + (0..<ChartSeries.colors).map { "c\($0)" }
        for ground in ["bg", "panel"] {
            for word in words {
                let (front, back) = (try #require(colors[word]), try #require(colors[ground]))
                #expect(try contrast(front, back) >= 4.5, "\(word) on \(ground)")
            }
        }
        #expect(try contrast("#000000", "#ffffff") == 21)
    }

    @Test("colors are named in the two palettes alone, and both have the same")
    func palettes() {
        #expect(PageStyle.light.map(\.key) == PageStyle.dark.map(\.key))
        let named = PageStyle.css.matches(of: #/#[0-9a-fA-F]{3,8}\b/#).map { String($0.0) }
        let known = Set((PageStyle.light.map(\.value) + PageStyle.dark.map(\.value)) + ["#808080"])
        #expect(!named.isEmpty && Set(named).isSubset(of: known), "\(Set(named).subtracting(known))")
        for name in PageStyle.css.matches(of: #/var\(--([a-z]+[0-9]?)/#).map({ String($0.1) }) {
            #expect(name == "c" || name == "edge" || PageStyle.light.contains { $0.key == name }, "\(name)")
        }
    }

    @Test("curves differ by marks and dashes, not by color alone")
    func curves() {
        let series = (0..<ChartSeries.shapes).map { ChartSeries(label: "", place: $0) }
        #expect(Set(series.map { $0.mark(x: 0, y: 0) }).count == series.count)
        let dashes = series.map { series in
            PageStyle.css.firstRange(of: ".d\(series.place) .line{stroke-dasharray:").map {
                String(PageStyle.css[$0.upperBound...].prefix { $0 != "}" })
            }
        }
        #expect(Set(dashes).count == series.count && dashes[0] == nil)
        let looks = (0..<12).map { ChartSeries(label: "", place: $0).classes }
        #expect(Set(looks).count == 12)
    }
}
