internal import CLibcurl

/// Sets the options of one easy handle.
@safe struct Options {
  let handle: UnsafeMutableRawPointer

  func set(
    _ request: OutgoingRequest, _ startedAt: ContinuousClock.Instant
  ) throws(SendingError) {
    let left = request.deadline - startedAt.duration(to: .now)
    guard left > .zero else { throw .deadlineExceeded }
    for text in [request.method, request.url, request.unixSocket ?? ""] {
      guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
        throw .unsendable(detail: "method or URL holds a space or control character")
      }
    }
    try set(CURLOPT_URL, request.url)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    // Otherwise libcurl takes signals to time out name look-ups.
    try set(CURLOPT_NOSIGNAL, 1)
    let milliseconds = max(1, Int(left / .milliseconds(1)))
    try set(CURLOPT_TIMEOUT_MS, milliseconds)
    try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
    // Better to share an HTTP/2 connection than to open another. In plain text there is none to
    // share, and a second request would wait for the first one's answer.
    try set(CURLOPT_PIPEWAIT, request.url.hasPrefix("https:") ? 1 : 0)
    if let path = request.unixSocket { try set(CURLOPT_UNIX_SOCKET_PATH, path) }
    if request.method == "HEAD" { try set(CURLOPT_NOBODY, 1) }
    if let body = request.body {
      try unsafe check(sg_curl_set_body(handle, body, curl_off_t(body.count)))
    }
    try set(CURLOPT_CUSTOMREQUEST, request.method)
  }

  private func set(_ option: CURLoption, _ value: Int) throws(SendingError) {
    try unsafe check(sg_curl_set_long(handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) throws(SendingError) {
    try unsafe check(sg_curl_set_string(handle, option, value))
  }

  private func check(_ code: CURLcode) throws(SendingError) {
    guard code == CURLE_OK else {
      throw .unsendable(detail: unsafe String(cString: curl_easy_strerror(code)))
    }
  }
}
