// SPDX-License-Identifier: MIT

import EncoderAPI
import Foundation
import OpenH264Backend
import Testing
import X264Backend
import X265Backend

@Suite struct SettingsTableTests {
    @Test("the page of settings shows what the rows say")
    func page() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/EncoderAPI/EncoderAPI.docc/Settings.md").standardizedFileURL
        let table = try Self.table()
        #expect(try String(contentsOf: page, encoding: .utf8).contains(table), "expected:\n\(table)")
    }

    private static func table() throws -> String {
        let encoders =
            try X264Backend().listEncoders() + X265Backend().listEncoders() + OpenH264Backend().listEncoders()
        let head = ["Setting", "Change", "Where nothing is asked"] + encoders.map(\.displayName)
        let rows = SettingRow.all.map { row in
            [row.setting.rawValue, row.effect.rawValue, row.unset]
                + encoders.map { encoder in
                    let support = row.support(by: encoder.capabilities)
                    guard support != .refused else { return "refused" }
                    let legal = row.legalValues(with: encoder.capabilities) + (row.unit.map { " \($0)" } ?? "")
                    return support == .hint ? "hint: \(legal)" : legal
                }
        }
        let layouts = PixelFormat.allCases.filter { !$0.isFullRange }
        let taken = encoders.map { encoder in
            layouts.filter(encoder.capabilities.directPixelFormats.contains).map(\.rawValue).joined(separator: ", ")
        }
        return
            ([head, head.map { _ in "---" }] + rows + [["PixelFormat", "session", "taken without a copy:"] + taken]).map
        { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}
