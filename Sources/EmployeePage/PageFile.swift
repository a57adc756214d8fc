import Cryptography
import HTTPAPI
import HTTPServing

/// A file of the page, as part of the program.
struct PageFile: Sendable {
  enum Caching: String, Sendable {
    /// The address contains the version, so the contents never change.
    case forever = "public, max-age=31536000, immutable"
    /// Asked for again every time, with the tag.
    case revalidated = "no-cache"
  }

  let path: String
  let type: String
  let bytes: [UInt8]
  let caching: Caching
  /// Headers that only this file has.
  var extra: [(name: String, value: String)] = []

  /// Serves the file; 304 without it if the browser has this version already.
  var route: AccessRoute {
    let tag = "\"\(versionText(of: bytes))\""
    var headers: HTTPHeaders = [
      "Content-Type": type, "Cache-Control": caching.rawValue, "ETag": tag,
      "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
    ]
    for field in extra { headers.add(field.name, field.value) }
    return AccessRoute(.get, path, .anybody, isBrief: true) { [headers, bytes] request in
      let isKnown = request.headers.values(of: "If-None-Match").contains { $0.contains(tag) }
      return isKnown
        ? HTTPResponse(status: 304, headers: headers)
        : HTTPResponse(headers: headers, body: .bytes(bytes))
    }
  }
}

/// Twelve hex digits of the hash of `bytes`.
func versionText(of bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: sha256(bytes).prefix(6).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
    as: UTF8.self)
}

/// A script or a style sheet as it is sent: without indentation, and without lines that are only a
/// comment after `//`. No text of ours spans lines.
func withoutComments(_ script: [UInt8]) -> [UInt8] {
  let lines = script.split(separator: UInt8(ascii: "\n"))
    .map { $0.drop { $0 == UInt8(ascii: " ") } }
    .filter { !$0.isEmpty && !$0.starts(with: "//".utf8) }
  return Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
}

/// `template` with `version` in place of `{{version}}`.
func filled(_ template: [UInt8], version: String) -> [UInt8] {
  Array(
    String(decoding: template, as: UTF8.self)
      .split(separator: "{{version}}", omittingEmptySubsequences: false)
      .joined(separator: version).utf8)
}
