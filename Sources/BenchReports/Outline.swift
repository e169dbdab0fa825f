// SPDX-License-Identifier: MIT

/// What a section of a report says, from its heading to its last sentence, in whatever form.
///
/// It is put into words here once: text, Markdown and HTML render it, and add no word of their own.
struct Outline: Equatable, Sendable {
    /// One piece of it.
    enum Block: Equatable, Sendable {
        /// What the section is about.
        case heading(String)
        /// Sentences that belong together.
        case paragraph(String)
        /// Where a form that can draw has its chart; the others have its numbers in what follows.
        case chart
        /// Numbers in columns; the caption is for those who cannot see what they stand below.
        case table(TextTable, caption: String)
        /// What stands for itself, a sentence each or a few that belong together.
        case list([[String]])
        /// Command lines to be copied, below a sentence that says what they do.
        case commands(String, [String])
    }

    /// The pieces, in the order in which they are read.
    var blocks: [Block]

    /// One outline after the other.
    static func + (first: Outline, second: Outline) -> Outline { Outline(blocks: first.blocks + second.blocks) }
}
