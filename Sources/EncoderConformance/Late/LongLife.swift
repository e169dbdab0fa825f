// SPDX-License-Identifier: MIT

import EncoderAPI

extension Life {
    /// Some 400 frames: one encoder for long, then ten updates, three changes of size and two completions; key frames
    /// are also forced on last frames, of encoders and of the whole.
    ///
    /// - Parameters:
    ///   - context: The encoder.
    ///   - effort: How much of it is made.
    ///   - pause: Seconds without frames in the middle of an encoder's life, and after another size.
    /// - Returns: The life.
    static func long(_ context: ScenarioContext, _ effort: ScenarioContext.Effort, pause: Int = 0) -> Life {
        let size = ScenarioContext.size
        let values = liveValues(context)
        func updates(_ numbers: ClosedRange<Int>) -> [Part] {
            numbers.map { number in
                let value = values[number % values.count]
                return Part(
                    "update \(number), to \(value.label)", value.change, count: 12,
                    forced: number == 5 ? [6, 11] : [6], pause: number == 6 ? pause : 0)
            }
        }
        return Life(
            configuration: configuration(context, effort),
            parts: [
                Part("the first encoder", count: 150, forced: [60]),
                Part("after a pause", count: 20, forced: [10], pause: pause),
            ] + updates(1...5) + [
                Part("another size", .pictures(width: size.height, height: size.width), count: 24, forced: [9])
            ] + updates(6...6) + [
                Part("the first size again", .pictures(width: size.width, height: size.height), forced: [9, 19]),
                Part("after complete()", .completion, forced: [9]),
            ] + updates(7...10) + [
                Part("a third size", .pictures(width: 144, height: 80), forced: [9]),
                Part("after another complete()", .completion, count: 24, forced: [9, 10, 23]),
            ])
    }

    /// One of the values that ``long(_:_:pause:)`` goes through.
    private struct LiveValue {
        let label: String
        let change: Change

        init(_ control: RateControl) {
            label = "\(control)"
            change = .settings { $0.rateControl = control }
        }
    }

    /// What the encoder can change while it is open; nothing, where it lists no rate control.
    private static func liveValues(_ context: ScenarioContext) -> [LiveValue] {
        if context.has(.constantQuantizer) { return [26, 30, 22, 34].map { LiveValue(.constantQuantizer($0)) } }
        let rates = [300_000, 200_000, 400_000, 250_000]
        return context.has(.averageBitRate)
            ? rates.map { LiveValue(.averageBitRate($0)) } : [LiveValue(.automatic)]
    }
}

extension Scenario {
    static let lateKeyFrames = Scenario(
        "late-key-frames",
        "Key frames come where they are forced also late in a life: after changes of size, restarts and ten updates, "
            + "and on the last frame before an end.",
        settings: [.forceKeyFrame], effects: [.forceKeyFrame], length: 4
    ) { context, findings in
        // With a decoder, `late-pictures` looks for them in its lives too, of both efforts.
        for effort in context.decoder == nil ? context.efforts : [.least] {
            let lived = try await context.live(.long(context, effort), "\(effort) effort", &findings)
            checkKeyFrames(of: lived, "\(effort) effort", context, &findings)
        }
    }

    private static func checkKeyFrames(
        of lived: LivedLife, _ effort: String, _ context: ScenarioContext, _ findings: inout Findings
    ) {
        let syncs = Set(lived.run.syncIndices)
        for (number, part) in lived.life.parts.enumerated() {
            let range = lived.life.ranges[number]
            let starts: Set<Int> = lived.mustStart(number) ? [range.lowerBound] : []
            let expected = starts.union(part.forced.map { range.lowerBound + $0 })
            let seen = syncs.intersection(range)
            let label = "in \(part.label), frames \(range), \(effort)"
            let missing = expected.subtracting(seen).sorted()
            findings.expect(
                missing.isEmpty, "key frames \(expected.sorted()) \(label)", seen: "\(seen.sorted())")
            guard context.has(.maxKeyFrameInterval) else { continue }
            let surplus = seen.subtracting(expected).subtracting(lived.mayStart(number) ? [range.lowerBound] : [])
            findings.expect(
                surplus.isEmpty, "no other key frames than \(expected.sorted()) \(label)",
                seen: "\(surplus.sorted())")
        }
    }

    static let latePictures = Scenario(
        "late-pictures",
        "Every picture of a long life decodes to the one that was given, as well late as early, and after pauses; key frames "
            + "come where they are forced.",
        needsDecoder: true, length: 4
    ) { context, findings in
        for effort in ScenarioContext.Effort.allCases {
            var life = Life.long(context, effort, pause: 20)
            // Each effort in another layout.
            let layouts = PixelFormat.layouts.filter { $0.bitDepth == life.configuration.pixelFormat.bitDepth }
            if effort == .usual, let other = layouts.first(where: { $0 != life.configuration.pixelFormat }) {
                life.configuration.pixelFormat = other
            }
            let lived = try await context.live(life, "\(effort) effort", &findings)
            if context.has(.forceKeyFrame) {
                checkKeyFrames(of: lived, "\(effort) effort", context, &findings)
            }
            for parts in lived.partsOfOneSize {
                try await checkPictures(of: parts, in: lived, "\(effort) effort", context, &findings)
            }
        }
    }

    /// Parts of one size are one stream, which decodes by itself.
    private static func checkPictures(
        of parts: Range<Int>, in lived: LivedLife, _ effort: String, _ context: ScenarioContext,
        _ findings: inout Findings
    ) async throws {
        let frames = lived.frames(of: parts)
        let (width, height) = lived.life.sizes[parts.lowerBound]
        let label = "the parts of \(width)x\(height) from \"\(lived.life.parts[parts.lowerBound].label)\" on, \(effort)"
        let decoded: [PixelBuffer]
        do {
            decoded = try await context.decode(frames)
        } catch {
            findings.note("a stream that decodes in \(label)", seen: "\(error)")
            return
        }
        findings.expect(
            decoded.count == frames.count, "\(frames.count) decoded pictures in \(label)", seen: "\(decoded.count)")
        let video = lived.life.video(width, height)
        var index = lived.life.ranges[parts.lowerBound].lowerBound
        var pictures = decoded[...]
        var errorsOfParts: [PixelBuffer.Component: [[Double]]] = [:]
        for part in parts {
            let count = min(lived.life.parts[part].count, pictures.count)
            let sources = try (index..<index + count).map(video.picture)
            for component in PixelBuffer.Component.allCases {
                errorsOfParts[component, default: []].append(
                    zip(sources, pictures).map { $0.meanSquaredError(to: $1, in: component) })
            }
            pictures = pictures.dropFirst(count)
            index += lived.life.parts[part].count
        }
        // What is still inside when the next part comes may be coded as that one's pictures are.
        let held = context.watch.opened.map(\.maximumDelay).max() ?? 0
        for component in PixelBuffer.Component.allCases {
            let ofParts = errorsOfParts[component] ?? []
            // All pictures of a part are coded alike, so that one which is much worse than the median is damaged; and
            // none of this size and at these quantizers and rates is worse than 26 dB, 163.
            let bounds = ofParts.map { min($0.median * 3 + 20, 163) }
            for (part, errors) in zip(parts, ofParts) {
                let own = bounds[part - parts.lowerBound]
                let late = bounds[(part - parts.lowerBound)...].prefix(2).max() ?? own
                for (offset, error) in errors.enumerated() {
                    let bound = offset < errors.count - held ? own : late
                    guard error > bound else { continue }
                    findings.note(
                        "an error of \(bound) or less in \(component), as of the other pictures of "
                            + "\"\(lived.life.parts[part].label)\"",
                        seen: "\(error) in picture \(lived.life.ranges[part].lowerBound + offset), \(effort)")
                }
            }
        }
    }
}

extension LivedLife {
    /// Parts whose pictures have one size, one after the other.
    var partsOfOneSize: [Range<Int>] {
        let sizes = life.sizes
        var groups: [Range<Int>] = []
        for part in sizes.indices {
            if let last = groups.last, sizes[last.lowerBound] == sizes[part] {
                groups[groups.count - 1] = last.lowerBound..<part + 1
            } else {
                groups.append(part..<part + 1)
            }
        }
        return groups
    }
}

extension [Double] {
    /// The middle one; 0 of none.
    var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
