internal import CLibevent

// Conversions between libevent's values and ours.

extension HTTPRequest {
  /// Copies what evhttp has read; takes the body out of evhttp's buffer.
  init(
    reading raw: UnsafeMutablePointer<evhttp_request>, from remoteAddress: String?
  ) throws(RequestTargetError) {
    let receivedAt = ContinuousClock.now
    guard let target = unsafe evhttp_request_get_uri(raw),
      let method = unsafe HTTPMethod(evhttp_request_get_command(raw))
    else { throw .noPath }
    var fields: [(name: String, value: String)] = []
    fields.reserveCapacity(8)
    var next = unsafe evhttp_request_get_input_headers(raw)?.pointee.tqh_first
    while let field = unsafe next {
      let value = unsafe String(cString: field.pointee.value)
      unsafe fields.append((String(cString: field.pointee.key), value.withoutLeadingTabs))
      unsafe next = field.pointee.next.tqe_next
    }
    try self.init(
      method, unsafe String(cString: target), headers: HTTPHeaders(fields),
      body: unsafe Self.takeBody(evhttp_request_get_input_buffer(raw)), receivedAt: receivedAt,
      remoteAddress: remoteAddress)
  }

  init(head text: [UInt8], from remoteAddress: String?) throws(RequestTargetError) {
    let lines = text.split(separator: UInt8(ascii: "\n"))
    let words = (lines.first ?? []).split(separator: UInt8(ascii: " "))
    guard words.count == 3,
      let method = HTTPMethod.allCases.first(where: { $0.rawValue.utf8.elementsEqual(words[0]) })
    else { throw .noPath }
    let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[(colon + 1)...].trimmed
      return (
        String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)
      )
    }
    try self.init(
      method, String(decoding: words[1], as: UTF8.self), headers: HTTPHeaders(Array(fields)),
      remoteAddress: remoteAddress)
  }

  private static func takeBody(_ buffer: OpaquePointer?) -> [UInt8] {
    let length = unsafe evbuffer_get_length(buffer)
    // Swift's empty arrays share one header, and filling one writes its count there: a race between
    // loops, though always of zeros.
    guard length > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
      count = unsafe max(0, Int(evbuffer_remove(buffer, bytes.baseAddress, length)))
    }
  }
}

extension String {
  /// evhttp removes spaces before a value, but not tabs.
  fileprivate var withoutLeadingTabs: String {
    guard utf8.first == 0x09 else { return self }
    return String(drop { $0 == "\t" || $0 == " " })
  }
}

extension HTTPMethod {
  init?(_ command: evhttp_cmd_type) {
    switch command {
    case EVHTTP_REQ_GET: self = .get
    case EVHTTP_REQ_HEAD: self = .head
    case EVHTTP_REQ_POST: self = .post
    case EVHTTP_REQ_PUT: self = .put
    case EVHTTP_REQ_PATCH: self = .patch
    case EVHTTP_REQ_DELETE: self = .delete
    case EVHTTP_REQ_OPTIONS: self = .options
    default: return nil
    }
  }
}

extension HTTPResponse {
  /// Names reserved for the server: a handler that set them could contradict the framing.
  private static let reserved = ["content-length", "transfer-encoding", "connection", "date"]

  /// Gives evhttp the header fields. `false`, with none given, if one cannot be sent: a line end in
  /// it would let the author of the value add headers.
  func addHeaders(to raw: UnsafeMutablePointer<evhttp_request>, closing: Bool) -> Bool {
    guard isSendable else { return false }
    let output = unsafe evhttp_request_get_output_headers(raw)
    for (name, value) in headers.fields
    where !Self.reserved.contains(where: name.equalsIgnoringCase) {
      unsafe evhttp_add_header(output, name, value)
    }
    if closing { unsafe evhttp_add_header(output, "Connection", "close") }
    return true
  }

  /// Adds the body's length, also where evhttp would not: in response to HEAD.
  func addLength(_ length: Int, to raw: UnsafeMutablePointer<evhttp_request>) {
    guard status != 204, status != 304 else { return }
    let output = unsafe evhttp_request_get_output_headers(raw)
    unsafe evhttp_add_header(output, "Content-Length", String(length))
  }
}

extension HTTPResponse {
  private var isSendable: Bool {
    headers.fields.allSatisfy { name, value in
      !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        && value.utf8.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
    }
  }

  /// Status line and header fields, each with its line end, but for the server's own fields; `nil`
  /// if a field cannot be sent.
  var headBytes: [UInt8]? {
    guard isSendable else { return nil }
    var bytes = Array("HTTP/1.1 \(status) \(statusPhrase(status))\r\n".utf8)
    for (name, value) in headers.fields
    where !Self.reserved.contains(where: name.equalsIgnoringCase) {
      bytes += "\(name): \(value)\r\n".utf8
    }
    return bytes
  }

  /// The whole response, status line included, after which the connection closes. No streams.
  var wireBytes: [UInt8] {
    guard case .bytes(let body) = body, let head = preparedHead ?? headBytes else {
      return Problem.unsendable.response().wireBytes
    }
    return head + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8 + body
  }
}
