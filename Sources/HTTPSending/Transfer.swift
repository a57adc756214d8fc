import CLibcurl

/// A request or mail in progress. One thread holds it until libcurl drops its pointers to it.
@safe final class Transfer {
  let id: UInt64
  let handle: UnsafeMutableRawPointer
  private let load: TransferLoad
  private let lines: UnsafeMutablePointer<curl_slist>?
  private var names: UnsafeMutablePointer<curl_slist>?
  private let socketGuard: SocketGuard
  private let reply: TransferReply
  private var sentBytes = 0
  private var isContentSent = false
  private var receivedBytes = 0
  private var headers: [(name: String, value: String)] = []
  private var body: [UInt8] = []
  private var isTooLarge = false
  private var isCut = false

  /// A mail server's replies are short; more does not come from a mail server.
  private static let mailRepliesMax = 1 << 16

  /// Prepares `handle`, an easy handle with no options set.
  init(
    _ order: TransferOrder, on handle: UnsafeMutableRawPointer
  ) throws(SendingError) {
    id = order.id
    reply = order.reply
    load = order.load
    unsafe self.handle = handle
    let options = unsafe Options(handle: handle)
    switch order.load {
    case .request(let request):
      socketGuard = SocketGuard(order.ways.reach, isEncrypted: request.isEncrypted)
      unsafe lines = try Self.headerList(request)
      try options.set(request, order.ways, order.startedAt)
      unsafe sg_curl_set_headers(handle, lines)
    case .mail(let mail):
      socketGuard = SocketGuard(order.ways.reach, isEncrypted: mail.server.protection != .none)
      unsafe lines = mail.isGreeting ? nil : curl_slist_append(nil, "<\(mail.recipient)>")
      try options.set(mail, order.ways, order.startedAt)
      unsafe sg_curl_set_recipients(handle, lines)
    }
    if case .request(let request) = order.load, let meaning = request.meaning {
      unsafe names = curl_slist_append(nil, meaning)
      unsafe sg_curl_set_names(handle, names)
    }
    unsafe socketGuard.attach(to: handle)
    setCallbacks()
  }

  deinit {
    unsafe curl_slist_free_all(lines)
    unsafe curl_slist_free_all(names)
  }

  private func setCallbacks() {
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA] {
      unsafe sg_curl_set_pointer(handle, option, me)
    }
    unsafe sg_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, me in
      unsafe Transfer.at(me)?.take(bytes, size * count, isHeader: false) ?? 0
    }
    unsafe sg_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, me in
      unsafe Transfer.at(me)?.take(bytes, size * count, isHeader: true) ?? 0
    }
    guard case .mail = load else { return }
    unsafe sg_curl_set_callback(handle, CURLOPT_READFUNCTION) { bytes, size, count, me in
      unsafe Transfer.at(me)?.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        ?? 0
    }
  }

  private static func at(_ me: UnsafeMutableRawPointer?) -> Transfer? {
    guard let me = unsafe me else { return nil }
    return unsafe Unmanaged<Transfer>.fromOpaque(me).takeUnretainedValue()
  }

  func finish(_ code: CURLcode) {
    let status = unsafe sg_curl_get_long(handle, CURLINFO_RESPONSE_CODE)
    let hasAnswer =
      switch load {
      case .request: code == CURLE_OK || isCut
      case .mail: code == CURLE_OK || status >= 400
      }
    guard hasAnswer else { return fail(failure(code)) }
    var response = IncomingResponse(status: status, headers: headers, body: body)
    if case .request(let request) = load, request.asksForCertificate,
      let end = unsafe sg_curl_get_certificate_end(handle)
    {
      response.certificateEnd = unsafe String(cString: end)
    }
    reply(.success(response))
  }

  func fail(_ error: SendingError) { reply(.failure(error)) }

  private func failure(_ code: CURLcode) -> SendingError {
    let detail = unsafe String(cString: curl_easy_strerror(code))
    // The same code means that the response is not HTTP.
    let isBegun = unsafe sg_curl_get_long(handle, CURLINFO_REQUEST_SIZE) > 0
    let isUnsentMail = if case .mail = load { !isContentSent } else { false }
    return switch code {
    case _ where socketGuard.refused > 0 && socketGuard.opened == 0: .outOfReach
    case CURLE_URL_MALFORMAT,
      CURLE_UNSUPPORTED_PROTOCOL where !isBegun:
      .unsendable(detail: detail)
    case _ where isUnsentMail: .unreachable(detail: detail)
    case _ where isTooLarge: .responseTooLarge
    case CURLE_OPERATION_TIMEDOUT: .deadlineExceeded
    case CURLE_PEER_FAILED_VERIFICATION: .unreachable(detail: certificateFault ?? detail)
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
      CURLE_SSL_CONNECT_ERROR:
      .unreachable(detail: detail)
    default: .interrupted(detail: detail)
    }
  }

  /// Why the server's certificate is not trusted.
  /// - Source: the results of X509_verify_cert. They lack 1, which stays if the name is wrong.
  private var certificateFault: String? {
    switch unsafe sg_curl_get_long(handle, CURLINFO_SSL_VERIFYRESULT) {
    case 1, 62, 64: "the certificate is for another name"
    case 9: "the certificate is not valid yet"
    case 10: "the certificate has expired"
    case 18: "the certificate is signed by itself"
    case 19: "the certificate's authority is unknown here"
    case 20, 21: "the issuer of the certificate is unknown, or an intermediate one is not sent"
    default: nil
    }
  }

  /// Takes what was received. Any other count than the one given makes libcurl end the transfer.
  private func take(_ start: UnsafeMutablePointer<CChar>?, _ count: Int, isHeader: Bool) -> Int {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    if !isHeader, case .request(let request) = load, let part = request.part,
      unsafe sg_curl_get_long(handle, CURLINFO_RESPONSE_CODE) == 200
    {
      part(unsafe Array(bytes))
      return count
    }
    receivedBytes += count
    var bytesMax = Self.mailRepliesMax
    if case .request(let request) = load {
      bytesMax = request.responseMax
      isCut = receivedBytes > bytesMax && request.cutsResponse && !isHeader
    }
    isTooLarge = receivedBytes > bytesMax && !isCut
    if isHeader, !isTooLarge {
      takeHeader(unsafe String(decoding: bytes, as: UTF8.self))
    } else {
      unsafe body.append(contentsOf: bytes.prefix(max(0, count - (receivedBytes - bytesMax))))
    }
    return isTooLarge || isCut ? 0 : count
  }

  private func takeHeader(_ line: String) {
    if case .mail = load { return headers.append(("", line)) }
    // A further status line: the headers before it belong to an interim response.
    if line.hasPrefix("HTTP/") { headers = [] }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
    let end = value.lastIndex { !$0.isWhitespace }
    headers.append((String(line[..<colon]), end.map { String(value[...$0]) } ?? ""))
  }

  /// Gives the next part of a mail; nothing at its end.
  private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
    guard case .mail(let mail) = load else { return 0 }
    let part = mail.content[sentBytes...].prefix(room.count)
    unsafe room.copyBytes(from: part)
    sentBytes += part.count
    isContentSent = sentBytes == mail.content.count
    return part.count
  }

  private static func headerList(
    _ request: OutgoingRequest
  ) throws(SendingError) -> UnsafeMutablePointer<curl_slist>? {
    // Nobody waits for `100 Continue` here, and libcurl's guess at a media type is of no use.
    var lines = ["Expect:"]
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    for (name, value) in request.headers {
      guard (name + value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw .unsendable(detail: "a header contains a control character")
      }
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { unsafe list = curl_slist_append(list, line) }
    return unsafe list
  }
}
