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

    /// The same without an element around it; without an id its headings are a part's.
    func html(id: String? = nil, chart: String? = nil) -> String {
        blocks.compactMap { block in
            switch block {
            case .heading(let text):
                id.map { HTML.element("h2", ["id": Self.title($0)], HTML.prose(text)) }
                    ?? HTML.element("h3", HTML.prose(text))
            case .paragraph(let text): HTML.paragraph(text)
            case .chart: chart
            case .table(let table, let caption): HTML.table(table, caption: caption)
            case .list(let items): HTML.list(items.map { $0.joined(separator: " ") })
            case .commands(let title, let commands):
                HTML.element(
                    "details",
                    HTML.element("summary", HTML.prose(title))
                        + HTML.scrolling(
                            "Command lines", HTML.element("pre", HTML.escaped(commands.joined(separator: "\n")))))
            }
        }.joined()
    }

    private static func title(_ id: String) -> String { id + "-title" }
}
