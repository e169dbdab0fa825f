// SPDX-License-Identifier: MIT

extension Outline {
    /// The section of a page.
    ///
    /// - Parameters:
    ///   - id: The section's, for links; its heading has it with "-title".
    ///   - chart: The chart as HTML; nil where there is nothing to draw.
    /// - Returns: An element.
    func section(id: String, chart: String?) -> String {
        HTML.element("section", ["id": id, "aria-labelledby": Self.title(id)], html(id: id, chart: chart))
    }

    /// The same without an element around it; a heading alone needs the id.
    func html(id: String = "", chart: String? = nil) -> String {
        blocks.compactMap { block in
            switch block {
            case .heading(let text): HTML.element("h2", ["id": Self.title(id)], HTML.prose(text))
            case .paragraph(let text): HTML.paragraph(text)
            case .chart: chart
            case .table(let table, let caption): HTML.table(table, caption: caption)
            case .list(let items): HTML.list(items.map { $0.joined(separator: " ") })
            }
        }.joined()
    }

    private static func title(_ id: String) -> String { id + "-title" }
}
