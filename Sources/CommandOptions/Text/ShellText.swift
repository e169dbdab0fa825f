// SPDX-License-Identifier: MIT

extension String {
    /// Characters that no POSIX shell gives a meaning.
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@".utf8)

    /// One word for a POSIX shell that stands for the text, whatever is in it.
    package var shellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain
            ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
