internal import CLibcurl

/// One request under way. The transfer loop's thread only, which holds it until libcurl, who has a
/// plain pointer to it, is done.
@safe final class Transfer {
  let id: UInt64
  let handle: UnsafeMutableRawPointer
  private let headerList: UnsafeMutablePointer<curl_slist>?
  private let responseMax: Int
  private let reply: TransferReply
  private var receivedBytes = 0
  private var headers: [(name: String, value: String)] = []
  private var body: [UInt8] = []
  private var isTooLarge = false

  /// Prepares `handle`, an easy handle with no options set.
  init(
    _ order: TransferOrder, on handle: UnsafeMutableRawPointer
  ) throws(SendingError) {
    id = order.id
    reply = order.reply
    responseMax = order.request.responseMax
    unsafe self.handle = handle
    unsafe headerList = try Self.headerList(order.request)
    try unsafe Options(handle: handle).set(order.request, order.startedAt)
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sg_curl_set_headers(handle, headerList)
    unsafe sg_curl_set_pointer(handle, CURLOPT_WRITEDATA, me)
    unsafe sg_curl_set_pointer(handle, CURLOPT_HEADERDATA, me)
    unsafe sg_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, me in
      unsafe Transfer.from(me, bytes, size * count) { unsafe $0.takeBody($1) }
    }
    unsafe sg_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, me in
      unsafe Transfer.from(me, bytes, size * count) { unsafe $0.takeHeader($1) }
    }
  }

  deinit { unsafe curl_slist_free_all(headerList) }

  /// Tells the sender how it ended.
  func finish(_ code: CURLcode) {
    guard code == CURLE_OK else { return fail(failure(code)) }
    let status = unsafe sg_curl_get_long(handle, CURLINFO_RESPONSE_CODE)
    reply.resume(
      returning: .success(IncomingResponse(status: status, headers: headers, body: body)))
  }

  /// Tells the sender why it ended before its end.
  func fail(_ error: SendingError) { reply.resume(returning: .failure(error)) }

  private func failure(_ code: CURLcode) -> SendingError {
    let detail = unsafe String(cString: curl_easy_strerror(code))
    return switch code {
    case _ where isTooLarge: .responseTooLarge
    case CURLE_OPERATION_TIMEDOUT: .deadlineExceeded
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION:
      .unreachable(detail: detail)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: .unsendable(detail: detail)
    default: .interrupted(detail: detail)
    }
  }

  private static func from(
    _ me: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
    _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let me = unsafe me else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(me).takeUnretainedValue()
    transfer.receivedBytes += count
    transfer.isTooLarge = transfer.receivedBytes > transfer.responseMax
    // Any other count than the one given makes libcurl end the transfer.
    guard !transfer.isTooLarge else { return 0 }
    return unsafe take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe body.append(contentsOf: bytes)
    return true
  }

  private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    // A further status line: what came before belonged to an interim response.
    if line.hasPrefix("HTTP/") { headers = [] }
    guard let colon = line.firstIndex(of: ":") else { return true }
    let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
    let end = value.lastIndex { !$0.isWhitespace }
    headers.append((String(line[..<colon]), end.map { String(value[...$0]) } ?? ""))
    return true
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
        throw .unsendable(detail: "a header holds a control character")
      }
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { unsafe list = curl_slist_append(list, line) }
    return unsafe list
  }
}
