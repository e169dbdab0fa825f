// SPDX-License-Identifier: MIT

extension Outline {
    /// The section of a page.
    ///
    /// - Parameters:
    ///   - id: The section's, for links; its heading has it with "-title".
    ///   - chart: The chart as HTML; nil where there is nothing to draw.
    /// - Returns: An element.
    func section(id: String, chart: String?) -> String {
        let title = id + "-title"
        let content = blocks.compactMap { block in
            switch block {
            case .heading(let text): HTML.element("h2", ["id": title], HTML.prose(text))
            case .paragraph(let text): HTML.paragraph(text)
            case .chart: chart
            case .table(let table, let caption): HTML.table(table, caption: caption)
            case .list(let items): HTML.list(items.map { $0.joined(separator: " ") })
            }
        }
        return HTML.element("section", ["id": id, "aria-labelledby": title], content.joined())
    }
}
