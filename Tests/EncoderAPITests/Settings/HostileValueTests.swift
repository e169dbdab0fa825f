// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

/// Numbers that no picture, clock or rate has: an error that says so, and never the end of the process.
@Suite(.timeLimit(.minutes(2))) struct HostileValueTests {
    private static let integers = [
        Int.min, Int.min + 1, -65536, -1, 0, 1, 2, 3, 16, 51, 255, 4096, 65535, 65536, Int(Int32.max) - 1,
        Int(Int32.max), Int(Int32.max) + 1, 1 << 40, Int.max / 2, Int.max / 2 + 1, Int.max - 63, Int.max - 1, Int.max,
    ]
    private static let numbers: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1e18, -1, -0.0, 0, .leastNonzeroMagnitude, 1e-300, 1e-9, 0.001, 0.5, 1,
        51, 1e9, 1e18, 1e300, .greatestFiniteMagnitude, .infinity, .nan,
    ]

    /// One field of a configuration, set from a number that means it no good.
    private struct Field: Sendable {
        let name: String
        let set: @Sendable (inout SessionConfiguration, Int, Double) -> Void

        init(_ name: String, _ set: @escaping @Sendable (inout SessionConfiguration, Int, Double) -> Void) {
            self.name = name
            self.set = set
        }
    }

    private static let fields = [
        Field("width") { configuration, integer, _ in configuration.width = integer },
        Field("height") { configuration, integer, _ in configuration.height = integer },
        Field("maxKeyFrameInterval") { configuration, integer, _ in configuration.live.maxKeyFrameInterval = integer },
        Field("maxKeyFrameIntervalDuration") { configuration, _, number in
            configuration.live.maxKeyFrameIntervalDuration = number
        },
        Field("maxFrameDelayCount") { configuration, integer, _ in configuration.maxFrameDelayCount = integer },
        Field("sourceFrameCount") { configuration, integer, _ in configuration.sourceFrameCount = integer },
        Field("bitRateCeiling") { configuration, integer, _ in configuration.bitRateCeiling = integer },
        Field("threadCount") { configuration, integer, _ in configuration.threadCount = integer },
        Field("timescale") { configuration, integer, _ in configuration.timescale = Int32(truncatingIfNeeded: integer)
        },
        Field("level") { configuration, integer, _ in configuration.profileLevel.level = integer },
        Field("framing") { configuration, integer, _ in configuration.framing = .lengthPrefixed(bytes: integer) },
        Field("aspect ratio") { configuration, integer, _ in
            configuration.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: integer, verticalSpacing: 1)
        },
        Field("color") { configuration, integer, _ in
            configuration.color = ColorDescription(primaries: 1, transfer: integer, matrix: 1)
        },
        Field("average") { configuration, integer, _ in configuration.live.averageBitRate = integer },
        Field("quality") { configuration, _, number in configuration.live.quality = number },
        Field("rate factor") { configuration, _, number in
            configuration.live.rateControl = .constantRateFactor(number)
        },
        Field("quantizer") { configuration, integer, _ in configuration.live.rateControl = .constantQuantizer(integer)
        },
        Field("least quantizer") { configuration, integer, _ in configuration.live.minAllowedFrameQP = integer },
        Field("largest quantizer") { configuration, integer, _ in configuration.live.maxAllowedFrameQP = integer },
        Field("limit") { configuration, integer, number in
            configuration.live.dataRateLimits.append(DataRateLimit(bytes: integer, seconds: number))
        },
        Field("frame rate") { configuration, integer, number in
            configuration.live.expectedFrameRate = FrameRate(
                numerator: integer, denominator: Int(clamping: integer / 3))
        },
        Field("frame rate in decimals") { configuration, _, number in
            configuration.live.expectedFrameRate = FrameRate(number)
        },
    ]

    /// An encoder that has every setting and takes whatever size is not refused before.
    private static func backend() -> FakeBackend {
        var backend = FakeBackend(codedWidths: 2...Int.max)
        backend.hasAllSettings = true
        return backend
    }

    /// Makes a session of it and, where that is possible, encodes with it.
    private func attempt(_ configuration: SessionConfiguration, _ live: LiveSettings? = nil) async throws {
        let session: CompressionSession
        do throws(EncoderError) {
            session = try CompressionSession(
                configuration, encoder: Self.backend(), logger: .silent)
        } catch {
            #expect(!error.reason.isEmpty)
            return
        }
        // Sizes that no stream here has were accepted as such; memory for them is another matter.
        guard configuration.width == 176, configuration.height == 144 else { return }
        let picture = try FakeStream.picture()
        for (index, duration) in [nil, MediaTime(value: 1 << 30, timescale: 1), MediaTime(value: 1, timescale: .max)]
            .enumerated()
        {
            try await session.encode(picture, at: FakeStream.time(index), duration: duration)
        }
        if let live { _ = try? await session.update { $0 = live } }
        do throws(EncoderError) {
            try await session.finish()
        } catch {
            #expect(!error.reason.isEmpty)
        }
    }

    @Test("no number in any field of a configuration ends the process")
    func everyField() async throws {
        for field in Self.fields {
            for integer in Self.integers {
                try await attempt(FakeStream.configuration { field.set(&$0, integer, 1) })
            }
            for number in Self.numbers {
                try await attempt(FakeStream.configuration { field.set(&$0, 1000, number) })
            }
        }
    }

    @Test("no combination of them does, nor as a change while a session runs")
    func combinations() async throws {
        var generator = SeededGenerator()
        for _ in 0..<1500 {
            func change(_ configuration: inout SessionConfiguration) {
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let integer = Self.integers.randomElement(using: &generator) ?? 0
                    let number = Self.numbers.randomElement(using: &generator) ?? 0
                    Self.fields.randomElement(using: &generator)?.set(&configuration, integer, number)
                }
            }
            var (first, second) = (FakeStream.configuration(), FakeStream.configuration())
            change(&first)
            change(&second)
            try await attempt(first)
            try await attempt(FakeStream.configuration(), second.live)
        }
    }

    @Test("a side outside the legal range is refused by name and value", arguments: [Int.min, -1, 0, 65536, Int.max])
    func sides(side: Int) {
        for isWidth in [true, false] {
            let configuration = FakeStream.configuration {
                if isWidth { $0.width = side } else { $0.height = side }
            }
            let error = #expect(throws: EncoderError.self) {
                try CompressionSession(configuration, encoder: Self.backend())
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.reason.contains("\(isWidth ? "width" : "height") \(side)") == true)
            #expect(error?.setting == (isWidth ? .width : .height))
        }
        let (width, height) = (176, side)
        #expect(throws: EncoderError.self) { _ = try MutablePixelBuffer(format: .i420, width: width, height: height) }
        #expect(throws: EncoderError.self) { try PixelBufferPool(format: .p010, width: height, height: width) }
        let memory = [UInt8](repeating: 0, count: 64)
        memory.withUnsafeBytes { bytes in
            let plane = PixelBuffer.WrappedPlane(bytes: bytes, bytesPerRow: 64)
            #expect(throws: EncoderError.self) {
                try PixelBuffer(wrapping: [plane, plane], format: .nv12, width: side, height: side, onRelease: {})
            }
        }
    }

    @Test("a stride that cannot be is refused", arguments: [Int.min, -176, -1, 0, 175, Int(Int32.max) + 1, Int.max])
    func strides(bytesPerRow: Int) {
        let memory = [UInt8](repeating: 0, count: 176 * 144)
        memory.withUnsafeBytes { bytes in
            let plane = PixelBuffer.WrappedPlane(bytes: bytes, bytesPerRow: bytesPerRow)
            let error = #expect(throws: EncoderError.self) {
                try PixelBuffer(
                    wrapping: [plane, plane, plane], format: .i420, width: 176, height: 144, onRelease: {})
            }
            #expect(error?.code == .invalidPixelBuffer && error?.reason.contains("\(bytesPerRow)") == true)
        }
    }

    @Test("sizes of pictures that cannot be are calculated without a trap", arguments: PixelFormat.allCases)
    func byteCounts(format: PixelFormat) {
        for width in Self.integers {
            for height in Self.integers {
                let count = format.byteCount(width: width, height: height)
                #expect(count >= 0)
                if width > 1 << 33, height > 1 << 33 { #expect(count == .max) }
            }
            for plane in [Int.min, 0, 1, 2, Int.max] {
                #expect(format.rowBytes(plane: plane, width: width) >= 0)
                #expect(format.rows(plane: plane, height: width) >= 0)
            }
        }
        let bytes: Int =
            switch format {
            case .bgra, .rgba, .argb: 60
            case .rgb24, .i444: 45
            case .yuyv, .uyvy: 36
            case .nv16: 15 + 3 * 6
            default: (15 + 2 * 6) * format.bytesPerSample
            }
        #expect(format.byteCount(width: 5, height: 3) == bytes)
    }

    @Test("times at the ends of their range are compared, added and encoded, or refused with the time")
    func times() async throws {
        let values = [Int64.min, Int64.min + 1, -1, 0, 1, Int64.max - 1, Int64.max]
        let times = values.flatMap { value in
            [1, 2, 90_000, Int32.max - 1, Int32.max].map { MediaTime(value: value, timescale: $0) }
        }
        for left in times {
            for right in times {
                #expect((left < right) != (left >= right))
                _ = (left + right, left - right, left.hashValue, left.ticks(timescale: right.timescale))
            }
        }
        for number in Self.numbers { _ = MediaTime(seconds: number, preferredTimescale: .max) }
        let picture = try FakeStream.picture()
        for (index, first) in times.enumerated() {
            let session = try CompressionSession(
                FakeStream.configuration { $0.live.maxKeyFrameIntervalDuration = 1 },
                encoder: ScriptedBackend(reorderDepths: [index % 3]), logger: .silent)
            for time in [first, times[times.count - 1 - index], .zero, first] {
                do throws(EncoderError) {
                    try await session.encode(picture, at: time, duration: first)
                } catch {
                    #expect([.outOfOrderTimestamp, .invalidValue].contains(error.code))
                    #expect(error.reason.contains("time \(time)") || error.reason.contains("duration \(first)"))
                }
            }
            try await session.complete(through: first)
            try await session.finish()
        }
    }

    @Test("a format description of impossible sizes is made as told or refused")
    func formats() {
        for number in Self.integers {
            for size in [(number, 4), (176, number)] {
                _ = try? FormatDescription(
                    codec: .h264, parameterSets: [FakeStream.sps, FakeStream.pps], width: size.0, height: size.0,
                    nalUnitLengthSize: size.1)
            }
        }
    }
}
