// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Testing

@testable import X264Backend

@Suite struct X264RateDriverTests {
    private static func rate(_ kilobits: Int, seconds: Double) throws -> X264Rate {
        var settings = ResolvedSettings(codec: .h264, width: 640, height: 360)
        let bits = Int(Double(kilobits) * 1000 * seconds)
        settings.live.rate = .init(
            .averageBitRate(kilobits * 1000), buffer: BufferModel(peakBitsPerSecond: kilobits * 1000, bits: bits))
        return try X264Rate(settings)
    }

    private static func filled(_ kilobits: Int, seconds: Double) throws -> X264Rate {
        var settings = ResolvedSettings(codec: .h264, width: 640, height: 360)
        settings.live.rate = .init(
            .constantBitRate(kilobits * 1000),
            buffer: BufferModel(
                peakBitsPerSecond: kilobits * 1000, bits: Int(Double(kilobits) * 1000 * seconds)))
        return try X264Rate(settings)
    }

    private static func driver(_ rate: X264Rate) -> X264RateDriver {
        X264RateDriver(rate, EncodingPlan(frameRate: 30, timescale: 30), followsTimestamps: true)
    }

    @Test(
        "after another average the buffer grows from a tenth of a second to its size, and never beyond",
        arguments: [(500, 1500), (1500, 500)])
    func change(old: Int, new: Int) throws {
        var driver = Self.driver(try Self.rate(old, seconds: 2.5))
        #expect(driver.rate(at: 99).isSame(as: try Self.rate(old, seconds: 2.5)))
        driver.change(to: try Self.rate(new, seconds: 2.5))
        let sizes = (0..<30 * 60).map { driver.rate(at: Int64(100 + $0)).buffer?.size ?? 0 }
        #expect(sizes[0] == new / 10)
        #expect(sizes[30] == new * 15 / 100)
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(sizes.max() == new * 5 / 2 && sizes.last == new * 5 / 2)
    }

    @Test("the same average with a smaller buffer has it at once")
    func smallerBuffer() throws {
        var driver = Self.driver(try Self.rate(1500, seconds: 2.5))
        driver.change(to: try Self.rate(1500, seconds: 0.5))
        #expect(driver.rate(at: 1).isSame(as: try Self.rate(1500, seconds: 0.5)))
    }

    @Test("a picture gets no more than the buffer holds", arguments: [1, 15, 300])
    func longPictures(interval: Int64) throws {
        let rate = try Self.rate(1500, seconds: 0.2)
        var driver = X264RateDriver(rate, EncodingPlan(frameRate: 30, timescale: 30), followsTimestamps: false)
        for index in 0..<50 {
            let set = driver.rate(at: Int64(index) * interval)
            let buffer = try #require(set.buffer)
            #expect(buffer.maximum <= buffer.size * 30 && buffer.maximum >= 1)
            guard case .average(let kilobits) = set.method else {
                Issue.record("\(set.method)")
                return
            }
            #expect(kilobits <= buffer.maximum)
        }
    }

    @Test("what the units of 1000 bit/s leave of a picture is for the next", arguments: [25, 30, 31, 50])
    func units(framesPerSecond: Int) throws {
        let rate = try Self.rate(60, seconds: 2.5)
        var driver = X264RateDriver(
            rate, EncodingPlan(frameRate: 1, timescale: Int32(framesPerSecond)), followsTimestamps: false)
        let told = (0..<10 * framesPerSecond).map { driver.rate(at: Int64($0)).buffer?.maximum ?? 0 }
        // The first picture counts as long as the frame rate says, which others make up for.
        let settled = told.dropFirst(2 * framesPerSecond).reduce(0, +)
        #expect((470...490).contains(settled), "\(settled)")
    }

    @Test(
        "with filler the buffer moves to that of another rate by 0.05 s in each second, up and down",
        arguments: [(8000, 12_000), (12_000, 8000)])
    func filled(old: Int, new: Int) throws {
        var driver = Self.driver(try Self.filled(old, seconds: 1))
        _ = driver.rate(at: 0)
        driver.change(to: try Self.filled(new, seconds: 1))
        let rates = (1...30 * 20).map { driver.rate(at: Int64($0)) }
        #expect(rates.allSatisfy { $0.method == .average(kilobits: new) && $0.hasFiller })
        let sizes = [old] + rates.map { $0.buffer?.size ?? 0 }
        let most = Double(new) * 0.05 / 30 + 1
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { abs(Double($0 - $1)) <= most })
        #expect(sizes.last == new)
    }

    @Test("a pause does not empty the buffer into one picture")
    func pause() throws {
        var driver = Self.driver(try Self.filled(12_000, seconds: 1))
        _ = driver.rate(at: 0)
        driver.change(to: try Self.filled(8000, seconds: 1))
        let size = try #require(driver.rate(at: 30 * 100).buffer?.size)
        #expect((11_800..<12_000).contains(size), "\(size)")
    }
}
