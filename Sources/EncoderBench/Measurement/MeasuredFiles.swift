// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
package import PictureQuality

/// Files that anything encoded, put on the curves of a comparison.
package struct MeasuredFiles: Sendable {
    /// One file, and the curve that it is a point of.
    package struct Item: Equatable, Sendable {
        /// The curve's name; nil where the file stands for itself.
        package var label: String?
        package var path: String

        package init(label: String? = nil, path: String) {
            self.label = label
            self.path = path
        }
    }

    /// The setting that stands for all others: the file's path.
    package static let fileSetting = "File"

    package let reference: ClipFacts
    package let items: [Item]
    package let metrics: [Metric]
    package let tools: MetricTools

    package init(reference: ClipFacts, items: [Item], metrics: [Metric], tools: MetricTools) {
        self.reference = reference
        self.items = items
        self.metrics = metrics
        self.tools = tools
    }

    /// Decodes each file and compares its pictures with the reference's by their numbers.
    ///
    /// - Returns: The comparison, with a failure for each file that cannot be compared.
    /// - Throws: ``EncoderBenchError`` where the curves' names are wrong.
    package func measurements() throws -> Measurements {
        let labels = distinct(items.map { $0.label ?? Self.name($0.path) })
        let counts = labels.map { label in items.count { ($0.label ?? Self.name($0.path)) == label } }
        // Single files are no curves.
        let isCurves = counts.contains { $0 > 1 }
        var study = Study(
            clips: [reference], variants: labels.map { Variant(encoder: $0) },
            pairs: isCurves ? labels.indices.dropFirst().map { Study.Pair(anchor: 0, test: $0) } : [],
            metrics: metrics.map(\.name))
        let measuredBy = try tools.makers(of: metrics)
        var results: [(PointSpec, Result<PointResult, any Error>)] = []
        for item in items {
            let variant = labels.firstIndex(of: item.label ?? Self.name(item.path)) ?? 0
            let packets = Result { try VideoPackets(path: item.path) }
            let point = PointSpec(
                work: PointWork(
                    clipDigest: reference.digest, frameLimit: reference.frameLimit, raw: reference.raw,
                    encoder: labels[variant], codec: (try? packets.get().codec) ?? "", width: reference.width,
                    height: reference.height,
                    pixelFormat: reference.pixelFormat, settings: [Self.fileSetting: item.path], nativeOptions: [],
                    forcedKeyFrames: [], measuredBy: measuredBy),
                path: reference.path, clip: 0, variant: variant, rate: item.label == nil ? "-" : Self.name(item.path),
                isDefault: false)
            guard !study.points.contains(point) else {
                throw EncoderBenchError(.notComparable, reason: "\(item.path): is named twice")
            }
            study.points.append(point)
            results.append((point, Result { try result(point, file: item.path, packets: try packets.get()) }))
        }
        var measurements = Measurements(study: study)
        for (point, result) in results {
            switch result {
            case .success(let value): measurements.results[point] = value
            case .failure(let error):
                let named: any Error = (error as? MediaFileError)?.naming(reference.name) ?? error
                measurements.failures[point] = Self.reason(named, file: point.work.settings[Self.fileSetting] ?? "")
            }
        }
        return measurements
    }

    /// What went wrong with a file, with its path, which errors of metrics and of the session do not have.
    private static func reason(_ error: any Error, file: String) -> String {
        let text = "\(error)"
        return text.contains(file) ? text : "\(file): \(text)"
    }

    private static func name(_ path: String) -> String {
        (path.split(separator: "/").last.map(String.init) ?? path).shown
    }

    private func result(_ point: PointSpec, file: String, packets: VideoPackets) throws -> PointResult {
        let source = try point.open()
        let decoded = try VideoInput.open(path: file)
        guard decoded.info.color.isFullRange == source.info.color.isFullRange else {
            let ranges = decoded.info.color.isFullRange ? ("full", "limited") : ("limited", "full")
            throw EncoderBenchError(
                .notComparable,
                reason:
                    "\(file): its samples have the \(ranges.0) range, the reference's the \(ranges.1) one; convert one of them, "
                    + "for example by ffmpeg -vf scale=out_range=limited")
        }
        var measured = PictureSeries(metrics, of: source.info, tools: tools)
        let limit = reference.frameLimit ?? .max
        var watch = ShiftWatch(expectedCount: min(packets.sizes.count, limit))
        while measured.count < limit, let picture = try decoded.next() {
            guard let frame = try source.next() else {
                throw EncoderBenchError(
                    .picturesMissing,
                    reason: "\(file): has more pictures than the reference, which has \(measured.count)")
            }
            try measured.add(source: frame, decoded: picture.picture)
            try watch.add(source: frame.picture, decoded: picture.picture)
        }
        let isCut = measured.count < limit ? try source.next() != nil : source.hasMore()
        if isCut, measured.count < limit {
            throw EncoderBenchError(
                .picturesMissing, reason: "\(file): has \(measured.count) pictures, the reference has more")
        }
        let isWhole = packets.sizes.count == measured.count
        guard measured.count > 0, isWhole || measured.count == limit && packets.sizes.count > limit else {
            throw EncoderBenchError(
                .picturesMissing, reason: "\(file): has \(packets.sizes.count) packets for \(measured.count) pictures")
        }
        var frames = try measured.finish()
        frames.bytes = Array(packets.sizes.prefix(measured.count))
        frames.isSync = Array(packets.isSync.prefix(measured.count))
        frames.types = frames.bytes.map { _ in "" }
        var notes = decoded.info.conversions
        if let shift = watch.shift { notes.append(shift.note) }
        if !isWhole, !packets.isInDisplayOrder {
            notes.append("its packets have no times: bytes are those of the first \(measured.count) in coding order")
        }
        if packets.userDataBytes > 0 {
            notes.append(
                "\(Format.grouped(packets.userDataBytes)) bytes of user data, such as the encoder's version and options, are left "
                    + "out: streams of encbench compare do not have them")
        }
        return PointResult(
            work: point.work, build: EncoderBuild(library: packets.codec, features: ""), processor: "",
            seconds: measured.seconds, isCut: isCut, adjustments: notes, command: nil,
            frames: frames)
    }
}

extension PictureShift {
    /// What a reader must know of a file whose pictures have the wrong numbers.
    fileprivate var note: String {
        let (end, side, without) =
            switch self {
            case .late: ("late", "before", "without its first picture and the reference's last one")
            case .early: ("early", "after", "without its last picture and the reference's first one")
            }
        return
            "it seems to be one picture \(end): its pictures agree far better with those that the reference has one number "
            + "\(side), so that its qualities are those of wrong pairs; measure it \(without)"
    }
}
