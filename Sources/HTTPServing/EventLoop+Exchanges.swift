internal import Lifecycle

// A request's life: received, answered whole or in pieces, written.
extension EventLoop {
  /// Begins to answer the request that has been read.
  func begin(_ connection: Connection) {
    guard let pending = connection.pending else { return close(connection) }
    connection.pending = nil
    lastNumber += 1
    connection.exchange = Exchange(
      number: lastNumber, framing: pending.framing, held: pending.count)
    guard case .success(var request) = pending.request else {
      return sendOwn(connection, FramingFault.target.problem.response())
    }
    request.receivedAt = now
    guard inflight < configuration.inflightMax else {
      return sendOwn(connection, Problem.overloaded.response())
    }
    switch dispatching(request) {
    case .answer(let response): sendOwn(connection, response)
    case .run(let request, let route):
      inflight += 1
      connection.deadline = now + (route.deadline ?? configuration.answerDeadline)
      connection.exchange?.endsWithClient = route.endsWithClient
      connection.exchange?.task = RequestTask.handle(
        request, as: LoopMessage.ExchangeID(slot: connection.slot, number: lastNumber),
        by: route.handler, on: place(for: route, bodyBytes: request.body.count),
        answering: mailbox)
    }
  }

  /// The connection whose request has this number and is in this phase.
  private func connection(
    of id: LoopMessage.ExchangeID, in phase: Exchange.Phase
  ) -> Connection? {
    guard connections.indices.contains(id.slot), let connection = connections[id.slot],
      let exchange = connection.exchange, exchange.number == id.number, exchange.phase == phase
    else { return nil }
    return connection
  }

  /// A handler has ended, or a ticket was answered; the client may be gone or already answered.
  func answered(_ id: LoopMessage.ExchangeID, _ response: HTTPResponse) {
    inflight -= 1
    guard let connection = connection(of: id, in: .handling) else { return }
    connection.exchange?.task = nil
    send(connection, response)
    goOn(connection)
    settle(connection)
  }

  /// Answers instead of a handler that takes too long, and cancels it.
  func giveUp(_ connection: Connection) {
    connection.exchange?.task?.cancel()
    connection.exchange?.task = nil
    sendOwn(connection, Problem.handlerTooSlow.response())
    goOn(connection)
    settle(connection)
  }

  /// Sends a response that no route gave.
  private func sendOwn(_ connection: Connection, _ response: HTTPResponse) {
    configuration.answeredItself(response.status)
    send(connection, response)
  }

  private func send(_ connection: Connection, _ response: HTTPResponse) {
    guard let head = response.preparedHead ?? response.headBytes else {
      return sendOwn(connection, Problem.unsendable.response())
    }
    connection.exchange?.framing.isLast = drainDeadline != nil
    guard let exchange = connection.exchange else { return }
    let hasNoBody = exchange.framing.isHead || response.status == 204 || response.status == 304
    switch response.body {
    case .stream(let stream) where !hasNoBody:
      guard startStream(connection, head) else { return }
      connection.exchange?.task = RequestTask.forward(
        stream, as: LoopMessage.ExchangeID(slot: connection.slot, number: exchange.number),
        to: mailbox)
      if drainDeadline != nil { connection.endEvents() }
    case .file(let file) where !hasNoBody:
      guard startStream(connection, head) else { return }
      let taken = WakeSignal()
      connection.exchange?.taken = taken
      connection.exchange?.task = RequestTask.forward(
        file, as: LoopMessage.ExchangeID(slot: connection.slot, number: exchange.number),
        taken: taken, to: mailbox)
    case .stream, .file:
      sendWhole(connection, head, length: nil, [])
    case .bytes(let body):
      let length = response.status == 204 || response.status == 304 ? nil : body.count
      sendWhole(connection, head, length: length, hasNoBody ? [] : body)
    }
  }

  /// - Parameter length: The value of `Content-Length`; `nil`: none is sent.
  private func sendWhole(
    _ connection: Connection, _ head: [UInt8], length: Int?, _ body: [UInt8]
  ) {
    guard let framing = connection.exchange?.framing else { return }
    connection.exchange?.phase = .flushing
    connection.deadline = now + configuration.keepAliveDeadline
    outgoing.removeAll(keepingCapacity: true)
    outgoing.beginResponse(head, framing)
    if let length { outgoing.appendLength(length) }
    outgoing.endHead(framing, date)
    sendOutgoing(connection, body)
    finishIfWritten(connection)
  }

  /// - Returns: Whether the client is still there.
  private func startStream(_ connection: Connection, _ head: [UInt8]) -> Bool {
    guard var framing = connection.exchange?.framing else { return false }
    framing.isUntilClose = framing.isOld
    connection.exchange?.framing = framing
    connection.exchange?.phase = .streaming
    connection.deadline = nil
    outgoing.removeAll(keepingCapacity: true)
    outgoing.beginResponse(head, framing)
    if !framing.isOld { outgoing += "Transfer-Encoding: chunked\r\n".utf8 }
    outgoing.endHead(framing, date)
    sendOutgoing(connection, [])
    return connection.isOpen
  }

  /// Sends a part of a stream, or drops a client that does not read.
  func sendChunk(_ id: LoopMessage.ExchangeID, _ bytes: [UInt8]) {
    guard !bytes.isEmpty, let connection = connection(of: id, in: .streaming) else { return }
    guard connection.output.count <= configuration.streamBacklogMax else {
      return close(connection)
    }
    outgoing.removeAll(keepingCapacity: true)
    if connection.exchange?.framing.isOld == true {
      sendOutgoing(connection, bytes)
    } else {
      outgoing += String(bytes.count, radix: 16).utf8
      outgoing += "\r\n".utf8
      sendOutgoing(connection, bytes, end: "\r\n")
    }
    if connection.output.isEmpty { connection.exchange?.taken?.signal() }
  }

  /// Closes the connection of an incomplete stream without sending its end.
  func abortStream(_ id: LoopMessage.ExchangeID) {
    guard let connection = connection(of: id, in: .streaming) else { return }
    close(connection)
  }

  func finishStream(_ id: LoopMessage.ExchangeID) {
    guard let connection = connection(of: id, in: .streaming) else { return }
    connection.exchange?.phase = .flushing
    connection.exchange?.task = nil
    connection.deadline = now + configuration.keepAliveDeadline
    if connection.exchange?.framing.isOld == false {
      send(connection, Array("0\r\n\r\n".utf8)[...])
    }
    finishIfWritten(connection)
    goOn(connection)
    settle(connection)
  }

  /// Ends the exchange once its response's last byte has been written.
  func finishIfWritten(_ connection: Connection) {
    guard connection.isOpen, connection.output.isEmpty, let exchange = connection.exchange,
      exchange.phase == .flushing
    else { return }
    connection.exchange = nil
    connection.answered += 1
    connection.progressed = now
    forgetLongBody(of: connection)
    if exchange.framing.closes || drainDeadline != nil { return depart(connection) }
    connection.deadline = now + configuration.keepAliveDeadline
    sendRefusal(connection)
  }
}

extension Connection {
  /// Ends a stream that would not end by itself.
  func endEvents() {
    if exchange?.taken == nil { exchange?.task?.cancel() }
  }
}
