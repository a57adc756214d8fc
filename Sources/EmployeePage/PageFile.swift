import Cryptography
import GzipEncoding
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

  /// Serves the file, compressed once for all requests if that makes it smaller; 304 without it if
  /// the browser has this version already.
  var route: AccessRoute {
    let version = versionText(of: bytes)
    let plain = Form(bytes: bytes, tag: "\"\(version)\"", headers: headers)
    var compressed: Form?
    if let packed = gzip(bytes), packed.count < bytes.count {
      compressed = Form(bytes: packed, tag: "\"\(version)-gzip\"", headers: headers)
      compressed?.headers["Content-Encoding"] = "gzip"
    }
    return AccessRoute(.get, path, .anybody, isBrief: true) { [compressed] request in
      guard let compressed, acceptsGzip(request.headers) else { return plain.answer(to: request) }
      return compressed.answer(to: request)
    }
  }

  private var headers: HTTPHeaders {
    var headers: HTTPHeaders = [
      "Content-Type": type, "Cache-Control": caching.rawValue, "Vary": "Accept-Encoding",
      "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
    ]
    for field in extra { headers.add(field.name, field.value) }
    return headers
  }

  /// The file as some browsers get it. Forms have different tags, because a tag names bytes.
  private struct Form {
    let bytes: [UInt8]
    let tag: String
    var headers: HTTPHeaders

    init(bytes: [UInt8], tag: String, headers: HTTPHeaders) {
      (self.bytes, self.tag, self.headers) = (bytes, tag, headers)
      self.headers["ETag"] = tag
    }

    func answer(to request: HTTPRequest) -> HTTPResponse {
      let isKnown = request.headers.values(of: "If-None-Match").contains { $0.contains(tag) }
      return isKnown
        ? HTTPResponse(status: 304, headers: headers)
        : HTTPResponse(headers: headers, body: .bytes(bytes))
    }
  }
}

/// Whether `Accept-Encoding` names gzip, and not with a weight of zero.
/// - Source: RFC 9110, 12.5.3.
func acceptsGzip(_ headers: HTTPHeaders) -> Bool {
  let items = headers.values(of: "Accept-Encoding").flatMap {
    $0.lowercased().split(separator: ",")
  }
  return items.contains { item in
    let parts = item.filter { $0 != " " }.split(separator: ";")
    let weight = parts.dropFirst().first.flatMap { Double($0.dropFirst(2)) } ?? 1
    return parts.first == "gzip" && weight > 0
  }
}

/// A script or a style sheet as it is sent: without indentation, and without lines that are only a
/// comment after `//`. No text of ours spans lines.
func withoutComments(_ script: [UInt8]) -> [UInt8] {
  let lines = script.split(separator: UInt8(ascii: "\n"))
    .map { $0.drop { $0 == UInt8(ascii: " ") } }
    .filter { !$0.isEmpty && !$0.starts(with: "//".utf8) }
  return Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
}

/// `template` with the value of each name in place of `{{name}}`.
func filled(_ template: [UInt8], _ values: [String: String]) -> [UInt8] {
  let text = values.reduce(String(decoding: template, as: UTF8.self)) { text, field in
    text.split(separator: "{{\(field.key)}}", omittingEmptySubsequences: false)
      .joined(separator: field.value)
  }
  return Array(text.utf8)
}
