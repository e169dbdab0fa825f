// SPDX-License-Identifier: MIT

package import CommandOptions
import FoundationEssentials
package import Logging
package import PictureQuality

/// A kind of run: what an encode of a point is made for, and what is taken of it.
///
/// A kind is one file with a type, whose properties say how it is to be run, and its line in ``RunKinds/all``. The
/// runner, the store and a process of its own take any kind.
package protocol RunKind: Codable, Sendable {
    /// What comes of it; kinds whose results are ``KeptResult`` can be kept in a store.
    associatedtype Result: Codable, Sendable

    /// Its name, which a process of its own is told.
    static var name: String { get }

    /// Whether it takes times: then nothing else may run beside it, and it has a process of its own.
    static var isTimed: Bool { get }

    /// Runs a point.
    ///
    /// - Parameters:
    ///   - point: What to encode.
    ///   - context: What the run finds around it.
    ///   - progress: Called with each frame that is encoded, on another thread.
    /// - Returns: The result; nil when the run was interrupted.
    /// - Throws: ``EncoderError``, ``MediaFileError`` or ``EncoderBenchError``.
    func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> Result?
}

/// The kinds of run there are.
package enum RunKinds {
    package static let all: [any RunKind.Type] = [
        QualityRun.self, KeyFrameRun.self, StreamRun.self, TimedRun.self, DelayRun.self, PacedRun.self,
    ]
}

/// What a run finds around it.
package struct RunContext: Sendable {
    /// Ends the run early when it happens.
    package var interruption = OneShotEvent()
    /// Clips that need not be decoded again.
    package var clips = DecodedClips()
    /// What takes the values of metrics that this program does not.
    package var tools = MetricTools()
    package let logger: Logger

    package init(
        interruption: OneShotEvent = OneShotEvent(), clips: DecodedClips = DecodedClips(),
        tools: MetricTools = MetricTools(), logger: Logger
    ) {
        self.interruption = interruption
        self.clips = clips
        self.tools = tools
        self.logger = logger
    }
}

/// A result that follows from the work and the encoder's build alone, so that it can be kept, and found again.
package protocol KeptResult: Codable, Equatable, Sendable {
    /// What the names of its files end with.
    static var suffix: String { get }

    var work: PointWork { get }
    var build: EncoderBuild { get }
    /// Whether nothing is missing that its work asks for.
    var isWhole: Bool { get }
}

extension KeptResult {
    /// Where it is kept.
    package var key: String { get throws { try work.key(with: build) } }
}

// MARK: - A process of its own

/// What a process of its own is given first; the kind's name follows, and its properties, the point and what is known
/// of its decoded clip as JSON.
package let processArgument = "run-alone"

/// What the lines of its log begin with.
private let programName = "encbench"

extension RunKind {
    /// Runs a point in a process of its own, whose times and memory are the run's alone; blocks.
    ///
    /// - Parameters:
    ///   - point: What to encode.
    ///   - clips: Decode its clip, which that process reads then.
    /// - Returns: What came of it.
    /// - Throws: ``EncoderBenchError`` when that process fails, which has said why; ``Interrupted``.
    package func resultAlone(of point: PointSpec, clips: SharedClips) throws -> Result {
        try resultAlone(of: point, sharing: try clips.sharing(of: point))
    }

    /// The same with a clip that was decoded before, which has to last as long as that process runs.
    package func resultAlone(of point: PointSpec, sharing: SharedClips.Sharing) throws -> Result {
        var point = point
        point.path = UnnamedFile.visiblePath(point.path)
        let words = try [
            JSONDocument.canonicalBytes(self), JSONDocument.canonicalBytes(point), JSONDocument.canonicalBytes(sharing),
        ].map { String(decoding: $0, as: UTF8.self) }
        // Where no file can be made for them, its messages come as they are.
        let messages = try? UnnamedFile()
        defer { if let messages { Logger(label: programName).repeatMessages(in: messages) } }
        let output = try ChildProcess.run(
            "/proc/self/exe", [processArgument, Self.name] + words, reading: true, messages: messages,
            name: "an encode")
        guard output.status == 0 else {
            throw EncoderBenchError(.programFailed, reason: "an encode ended with status \(output.status)")
        }
        return try JSONDecoder().decode(Result.self, from: Data(output.bytes))
    }

    /// What that process does.
    ///
    /// - Parameters:
    ///   - kind: The kind with its properties, as JSON.
    ///   - point: The point as JSON.
    ///   - sharing: What is known of its decoded clip, as JSON; nil where nothing is.
    ///   - context: What the run finds around it.
    /// - Returns: The result as JSON; nil when the run was interrupted.
    /// - Throws: ``EncoderBenchError`` for what is no point, and what the run throws.
    package static func answer(
        _ kind: String, _ point: String, sharing: String?, in context: RunContext
    ) async throws -> [UInt8]? {
        var context = context
        let run: Self
        let spec: PointSpec
        let shared: SharedClips.Sharing?
        do {
            run = try JSONDecoder().decode(Self.self, from: Data(kind.utf8))
            spec = try JSONDecoder().decode(PointSpec.self, from: Data(point.utf8))
            shared = try sharing.map { try JSONDecoder().decode(SharedClips.Sharing.self, from: Data($0.utf8)) }
        } catch {
            throw EncoderBenchError(.invalidPlan, reason: "no point of a plan: \(error)")
        }
        if let shared {
            context.clips = DecodedClips(knowing: try shared.place.map { try DecodedClip(at: $0) }, of: spec)
        }
        return try await run.result(of: spec, in: context) {}.map { try JSONDocument.canonicalBytes($0) }
    }
}
