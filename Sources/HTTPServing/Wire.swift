// Responses as bytes.

extension HTTPResponse {
  /// Names reserved for the server: a handler that set them could contradict the framing.
  private static let reserved = ["content-length", "transfer-encoding", "connection", "date"]

  /// Status line and header fields, each with its line end, but for the server's own fields; `nil`
  /// if a field cannot be sent: a line end in it would let the author of the value add headers.
  var headBytes: [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    bytes += "HTTP/1.1 \(status) ".utf8
    bytes += statusPhrase(status).utf8
    bytes += "\r\n".utf8
    for (name, value) in headers.fields {
      guard Self.isSendable(name, value) else { return nil }
      guard !Self.reserved.contains(where: name.equalsIgnoringCase) else { continue }
      bytes += name.utf8
      bytes += ": ".utf8
      bytes += value.utf8
      bytes += "\r\n".utf8
    }
    return bytes
  }

  private static func isSendable(_ name: String, _ value: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy(\.isValueByte)
  }

  /// The whole response, status line included, after which the connection closes. No streams.
  var wireBytes: [UInt8] {
    guard case .bytes(let body) = body, let head = preparedHead ?? headBytes else {
      return Problem.unsendable.response().wireBytes
    }
    return head + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8 + body
  }
}

extension [UInt8] {
  /// Begins a response with its head, whose version is the request's.
  mutating func beginResponse(_ head: [UInt8], _ framing: ResponseFraming) {
    self += head
    if framing.isOld { self[7] = UInt8(ascii: "0") }
  }

  /// Ends the head of a response.
  mutating func endHead(_ framing: ResponseFraming, _ date: DateField) {
    if !framing.isOld { self += date.bytes }
    self += framing.connectionField.utf8
    self += "\r\n".utf8
  }

  /// The length of a body as a header field.
  mutating func appendLength(_ count: Int) {
    self += "Content-Length: ".utf8
    self += String(count).utf8
    self += "\r\n".utf8
  }
}
