// SPDX-License-Identifier: MIT

import Glibc
import MediaIO

/// A file of WAV is read to its end or refused, and gives no more samples than it has bytes.
func checkWAVFiles(_ bytes: [UInt8]) {
    let file = unnamedFile
    require(ftruncate(file, 0) == 0, "cannot empty the file")
    bytes.withUnsafeBytes { require(pwrite(file, $0.baseAddress, $0.count, 0) == $0.count, "cannot write") }
    guard var sound = try? PCMFile(path: "/proc/self/fd/\(file)") else { return }
    var count = 0
    while let block = try? sound.next() {
        require(block.channelCount == sound.format.channelCount && block.frameCount > 0, "an empty block")
        count += block.samples.count
    }
    require(count * sound.format.sample.byteCount <= bytes.count, "\(count) samples of \(bytes.count) bytes")
}

/// A file without a name, for one input after the other.
private let unnamedFile: CInt = {
    var path = Array("/tmp/fuzz-wav-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    require(file >= 0, "no file for inputs")
    unlink(path)
    return file
}()
