// SPDX-License-Identifier: MIT

import Glibc
public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, unless all these files or folders of ``TestMedia`` exist.
    ///
    /// - Parameter names: Paths below ``TestMedia/root``, such as `clips/carphone_qcif_120f.y4m`.
    /// - Returns: A trait for `@Test` and `@Suite`.
    public static func requiresMedia(_ names: String...) -> Self {
        let reasons = names.compactMap { name -> String? in
            do throws(TestMediaError) {
                _ = try TestMedia.path(name)
                return nil
            } catch {
                return error.reason
            }
        }
        return requires("media", unless: reasons)
    }

    /// Skips the test, saying so, unless all these programs are installed.
    ///
    /// - Parameter programs: What the test runs, such as `.ffmpeg`.
    /// - Returns: A trait for `@Test` and `@Suite`.
    public static func requiresProgram(_ programs: ExternalProgram...) -> Self {
        requiresPrograms(programs)
    }

    /// Skips the test, saying so, unless all these programs are installed.
    ///
    /// - Parameter programs: What the test runs.
    /// - Returns: A trait for `@Test` and `@Suite`.
    public static func requiresPrograms(_ programs: [ExternalProgram]) -> Self {
        requires("programs", unless: programs.filter { !$0.isAvailable }.map(\.absence))
    }

    /// Leaves the test to thorough runs, which ``Sample`` describes, where they take turns to that of its file; any
    /// other run skips it, saying so.
    ///
    /// - Parameter fileID: The file; the caller's by default.
    /// - Returns: A trait for `@Test`.
    public static func thorough(fileID: String = #fileID) -> Self {
        let isThorough = Sample.depthOfRun >= .thorough
        let reason = isThorough ? Turn.skipped : "THOROUGH only: dev/test --thorough"
        return .enabled(if: Sample.depth(fileID: fileID) >= .thorough, "\(reason)")
    }

    /// Leaves a test that takes long to the turn of its file where runs take turns; every other run has it.
    ///
    /// - Parameter fileID: The file; the caller's by default.
    /// - Returns: A trait for `@Test`.
    public static func inTurn(fileID: String = #fileID) -> Self {
        let takes = Sample.depthOfRun == .long || Turn.current?.takes(fileID) ?? true
        return .enabled(if: takes, "\(Turn.skipped)")
    }

    /// Skips a test that limits the size of files under the thread sanitizer, whose runtime maps a file of its own:
    /// SIGBUS ends each program that it is in.
    public static var limitsFiles: Self {
        .enabled(if: dlsym(nil, "__tsan_init") == nil, "the thread sanitizer needs files without a limit")
    }

    private static func requires(_ what: String, unless reasons: [String]) -> Self {
        let different = reasons.indices.filter { !reasons[..<$0].contains(reasons[$0]) }.map { reasons[$0] }
        return .enabled(if: reasons.isEmpty, "SKIPPED, needs \(what): \(different.joined(separator: "; "))")
    }
}

extension ExternalProgram: ExpressibleByStringLiteral {
    /// Names a program by a literal, as in `.requiresProgram("ffmpeg")`.
    ///
    /// - Parameter value: A file name in one of the folders of `PATH`, or a path.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
