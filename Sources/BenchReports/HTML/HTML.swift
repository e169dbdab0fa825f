// SPDX-License-Identifier: MIT

/// Pieces of HTML and SVG as text.
enum HTML {
    /// Text whose characters mean nothing to HTML, also within quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // HTML has no way to write control characters; names of files may have them.
            case "\u{0}"..<"\u{20}" where scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// An element; attributes are escaped, `content` is HTML.
    static func element(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ content: String) -> String
    {
        "<\(name)\(text(attributes))>\(content)</\(name)>"
    }

    /// An element of HTML that never has content.
    static func void(_ name: String, _ attributes: KeyValuePairs<String, String>) -> String {
        "<\(name)\(text(attributes))>"
    }

    /// A sentence as print sets it: units stay with their numbers, and apostrophes are curved.
    static func prose(_ text: String) -> String {
        var result = ""
        var previous: Character?
        for (place, character) in zip(text.indices, text) {
            let rest = text[text.index(after: place)...]
            switch character {
            case " " where previous?.isNumber == true && rest.hasPrefix("%"): result += "\u{202F}"
            case " " where previous?.isNumber == true && rest.hasPrefix("dB"): result += "\u{A0}"
            case "'" where previous.map { $0.isLetter || $0.isNumber } == true && rest.first?.isLetter == true:
                result += "\u{2019}"
            default: result.append(character)
            }
            previous = character
        }
        return escaped(result)
    }

    /// A name that a narrow page may break where its words end, and nowhere else.
    static func breakable(_ name: String) -> String {
        var result = ""
        var (length, previous): (Int, Character?) = (0, nil)
        for character in name {
            if length >= 6, let previous, "_-./".contains(previous), character.isLetter || character.isNumber {
                result += "<wbr>"
                length = 0
            }
            result += escaped(String(character))
            length += 1
            previous = character
        }
        return result
    }

    /// A paragraph of text.
    static func paragraph(_ text: String) -> String { element("p", prose(text)) }

    /// An element without attributes; `content` is HTML.
    static func element(_ name: String, _ content: String) -> String { element(name, [:], content) }

    /// A list of sentences.
    static func list(_ items: [String]) -> String {
        items.isEmpty ? "" : element("ul", items.map { element("li", prose($0)) }.joined())
    }

    private static func text(_ attributes: KeyValuePairs<String, String>) -> String {
        attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    }

    /// A region that scrolls by itself where the window is narrow, and that the keyboard reaches.
    static func scrolling(_ label: String, _ content: String) -> String {
        element("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": label], content)
    }

    /// A table with a caption for those who cannot see what it stands below.
    static func table(_ table: TextTable, caption: String) -> String {
        let head = table.columns.map { column in
            element("th", ["scope": "col", "class": column.isNumber ? "n" : "w"], escaped(column.title))
        }
        let rows = table.rows.map { cells in
            let cells = cells.enumerated().map { index, cell in
                index == 0
                    ? element("th", ["scope": "row"], breakable(cell))
                    : table.columns[index].isNumber
                        ? element("td", ["class": "n"], number(cell)) : element("td", escaped(cell))
            }
            return element("tr", cells.joined()) + "\n"
        }
        return scrolling(
            caption,
            element(
                "table",
                element("caption", ["class": "unseen"], escaped(caption))
                    + element("thead", element("tr", head.joined()))
                    + "\n" + element("tbody", rows.joined())))
    }

    /// A number as print sets it: with a minus sign, thin spaces, and a dash where there is none.
    static func number(_ text: String) -> String {
        if text == "-" { return "–" }
        var result = ""
        for (index, character) in text.enumerated() {
            switch character {
            case "-" where index == 0 || result.hasSuffix("\u{202F}"): result += "\u{2212}"
            case " ": result += "\u{202F}"
            default: result.append(character)
            }
        }
        return escaped(result)
    }
}
