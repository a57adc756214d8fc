// Direct ways: requests answered without a task, and without a copy.
extension EventLoop {
  /// Offers the request that `bytes` begin with to the direct way of its route.
  /// - Returns: Bytes of the request if that takes it; otherwise the request is as it was.
  func takeDirectly(
    _ connection: Connection, _ head: RequestHead, _ bytes: Span<UInt8>
  ) -> Int? {
    guard !directWays.isEmpty, case .length(let length) = head.body,
      length <= DirectWay.bodyMax, bytes.count - head.count >= length,
      let authorization = head.onlyAuthorization, inflight < configuration.inflightMax,
      let way = way(of: head.method, to: head.target, of: bytes)
    else { return nil }
    lastNumber += 1
    let ticket = ReplyTicket(
      receivedAt: now, LoopMessage.ExchangeID(slot: connection.slot, number: lastNumber),
      answering: mailbox)
    let end = head.count + length
    let outcome = way.take(
      bytes.extracting(authorization), bytes.extracting(head.count..<end), ticket)
    guard outcome == .taken else { return nil }
    // Its answer comes by the mailbox, so not before this.
    inflight += 1
    connection.exchange = Exchange(number: lastNumber, framing: ResponseFraming(head), held: 0)
    connection.deadline = now + configuration.answerDeadline
    connection.reader.finish()
    return end
  }

  private func way(
    of method: HTTPMethod, to target: Range<Int>, of bytes: Span<UInt8>
  ) -> DirectWay? {
    for way in directWays where way.way.method == method {
      if bytes.holds(way.path, at: target) { return way.way }
    }
    return nil
  }
}

/// A direct way with its path as bytes.
struct LoopWay {
  let way: DirectWay
  let path: [UInt8]

  init(_ way: DirectWay) {
    self.way = way
    path = Array(way.path.utf8)
  }
}
