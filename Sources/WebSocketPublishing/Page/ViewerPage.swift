// SPDX-License-Identifier: MIT

/// The page that shows what a server sends: one resource, which loads nothing.
enum ViewerPage {
    /// HTML in UTF-8.
    static var bytes: [UInt8] { PackageResources.viewer_html }

    /// What browsers let the page do: run what is in it, and connect to where it came from.
    static let policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
        + "media-src blob:; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
