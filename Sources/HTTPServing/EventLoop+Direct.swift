internal import CLibevent
internal import Glibc

// Direct ways: requests answered without a task, and without a copy.
extension EventLoop {
  /// Offers a request that has arrived to the direct way of its route.
  /// - Returns: Whether that takes it; otherwise the request is as it was.
  func offersDirectly(_ exchange: Exchange) -> Bool {
    guard inflight < configuration.inflightMax, let way = unsafe way(for: exchange.request),
      let authorization = unsafe Self.onlyAuthorization(in: exchange.request)
    else { return false }
    let input = unsafe evhttp_request_get_input_buffer(exchange.request)
    let count = unsafe evbuffer_get_length(input)
    guard (1...DirectWay.bodyMax).contains(count), let body = unsafe evbuffer_pullup(input, count)
    else { return false }
    let ticket = ReplyTicket(receivedAt: .now, exchange.id, answering: mailbox)
    let outcome = unsafe way.take(
      Span(_unsafeBytes: authorization),
      Span(_unsafeElements: UnsafeBufferPointer(start: body, count: count)), ticket)
    guard outcome == .taken else { return false }
    // Its answer comes by the mailbox, so not before this.
    inflight += 1
    exchange.connection.deadline = ticket.receivedAt + configuration.answerDeadline
    return true
  }

  private func way(for raw: UnsafeMutablePointer<evhttp_request>) -> DirectWay? {
    guard !directWays.isEmpty, let target = unsafe evhttp_request_get_uri(raw),
      let method = unsafe HTTPMethod(evhttp_request_get_command(raw))
    else { return nil }
    for way in directWays where way.method == method {
      if unsafe strcmp(target, way.path) == 0 { return way }
    }
    return nil
  }

  /// The value of the only `Authorization`; `nil` also if there is an unusual field.
  private static func onlyAuthorization(
    in raw: UnsafeMutablePointer<evhttp_request>
  ) -> UnsafeRawBufferPointer? {
    var found: UnsafeRawBufferPointer?
    var next = unsafe evhttp_request_get_input_headers(raw)?.pointee.tqh_first
    while let field = unsafe next {
      guard let name = unsafe field.pointee.key, let value = unsafe field.pointee.value else {
        return nil
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
      switch unsafe DirectWay.field(named: Span(_unsafeBytes: bytes)) {
      case .unusual: return nil
      case .authorization:
        guard unsafe found == nil else { return nil }
        unsafe found = UnsafeRawBufferPointer(start: value, count: strlen(value))
      case .other: break
      }
      unsafe next = field.pointee.next.tqe_next
    }
    return unsafe found
  }
}
