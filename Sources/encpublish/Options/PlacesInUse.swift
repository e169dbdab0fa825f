// SPDX-License-Identifier: MIT

import CommandOptions
import MediaIO
import Publishing

/// The files that a run reads and writes, none of which may be another: what is read would be written over, or two
/// outputs would write between each other's bytes.
struct PlacesInUse {
    /// Files, with what each is.
    private var files: [(what: String, path: String)] = []
    private var folders: [SegmentFolder] = []

    /// Takes notice of a file that is read.
    mutating func read(_ path: String, as what: String) { files.append((what, path)) }

    /// Takes notice of an output, which may be refused by ``check(_:)`` before.
    mutating func write(_ output: Output) {
        switch output.destination {
        case .file(let path): files.append(("an output", Self.written(path)))
        case .segments(let folder): folders.append(folder)
        case .address, .receiver, .packets: break
        }
    }

    /// Refuses an output, or a file of it, that is another output or an input too.
    ///
    /// - Throws: ``CommandFailure`` that names it.
    func check(_ output: Output) throws(CommandFailure) {
        switch output.destination {
        case .file(let path): try check(path)
        case .segments(let folder): try check(folder)
        case .address, .receiver, .packets: break
        }
    }

    /// Refuses a file to be written that is another one too; "-" for standard output.
    ///
    /// - Throws: ``CommandFailure`` that names it.
    func check(_ path: String) throws(CommandFailure) {
        let path = Self.written(path)
        try FilePlace.check(path, isNone: files)
        if let folder = folders.first(where: { FilePlace.isFile(path, of: $0) }) {
            throw CommandFailure(.sameFile, "\(path): is a file of \(folder.path) too; write to another file")
        }
    }

    /// Refuses a pipe that is read twice: each reader would get some of its bytes.
    ///
    /// - Throws: ``CommandFailure`` that names it.
    func checkReading(_ path: String) throws(CommandFailure) {
        guard FilePlace.isStream(path), let other = files.first(where: { FilePlace.isSame($0.path, path) }) else {
            return
        }
        throw CommandFailure(.sameFile, "\(path): is \(other.what) too, and can be read once; give a file")
    }

    private func check(_ folder: SegmentFolder) throws(CommandFailure) {
        if folders.contains(where: { FilePlace.isSame($0.path, folder.path) }) {
            throw CommandFailure(.sameFile, "\(folder.path): is an output too; write to another folder")
        }
        if let other = files.first(where: { FilePlace.isFile($0.path, of: folder) }) {
            throw CommandFailure(
                .sameFile, "\(folder.path): \(other.path) in it is \(other.what) too; write to another folder")
        }
    }

    private static func written(_ path: String) -> String { path == "-" ? "/dev/stdout" : path }
}
