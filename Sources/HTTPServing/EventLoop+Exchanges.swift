internal import CLibevent
internal import Lifecycle

// A request's life: received, answered whole or in pieces, written.
extension EventLoop {
  func received(_ raw: UnsafeMutablePointer<evhttp_request>) {
    guard let evhttp = unsafe evhttp_request_get_connection(raw),
      let bufferevent = unsafe evhttp_connection_get_bufferevent(evhttp),
      let connection = unsafe connections[Connection.key(bufferevent)]
    else { return unsafe evhttp_send_error(raw, 500, nil) }
    lastExchangeID += 1
    let exchange = unsafe Exchange(id: lastExchangeID, request: raw, connection: connection)
    connection.exchange = exchange
    exchanges[exchange.id] = exchange
    unsafe evhttp_request_set_on_complete_cb(
      raw,
      { _, argument in
        guard let connection = unsafe Connection.from(argument) else { return }
        connection.loop.written(connection)
      }, connection.pointer)
    if offersDirectly(exchange) { return }
    do throws(RequestTargetError) {
      let request = try unsafe HTTPRequest(reading: raw, from: connection.remoteAddress)
      begin(exchange, request)
    } catch {
      sendOwn(exchange, FramingFault.target.problem.response())
    }
  }

  private func begin(_ exchange: Exchange, _ request: HTTPRequest) {
    guard inflight < configuration.inflightMax else {
      return sendOwn(exchange, Problem.overloaded.response())
    }
    switch dispatching(request) {
    case .answer(let response): sendOwn(exchange, response)
    case .run(let request, let route):
      inflight += 1
      exchange.connection.deadline =
        request.receivedAt + (route.deadline ?? configuration.answerDeadline)
      exchange.task = RequestTask.handle(
        request, as: exchange.id, by: route.handler,
        on: place(for: route, bodyBytes: request.body.count), answering: mailbox)
      if route.endsWithClient { watchForEnd(of: exchange.connection) }
    }
  }

  /// Reads on while a handler runs, as evhttp itself does during a stream, since only reading finds
  /// the end of a connection. What arrives are later requests: they wait in the input buffer.
  private func watchForEnd(of connection: Connection) {
    var (written, failed): (bufferevent_data_cb?, bufferevent_event_cb?)
    var argument: UnsafeMutableRawPointer?
    unsafe bufferevent_getcb(connection.bufferevent, nil, &written, &failed, &argument)
    unsafe bufferevent_setcb(connection.bufferevent, nil, written, failed, argument)
    unsafe bufferevent_enable(connection.bufferevent, Int16(EV_READ))
    // Silence of a client that waits is fine. After the start, as in `startStream`.
    var inactivity = timeval(configuration.inactivity)
    unsafe bufferevent_set_timeouts(connection.bufferevent, nil, &inactivity)
  }

  /// A handler has ended, or a ticket was answered; the client may be gone or already answered.
  func handlerAnswered(_ id: LoopMessage.ExchangeID, _ response: HTTPResponse) {
    inflight -= 1
    guard let exchange = exchanges[id], exchange.phase == .handling else { return }
    exchange.task = nil
    send(exchange, response)
  }

  /// Answers instead of a handler that takes too long, and cancels it.
  func giveUp(on exchange: Exchange) {
    exchange.task?.cancel()
    exchange.task = nil
    sendOwn(exchange, Problem.handlerTooSlow.response())
  }

  /// Sends a response that no route gave.
  private func sendOwn(_ exchange: Exchange, _ response: HTTPResponse) {
    configuration.answeredItself(response.status)
    send(exchange, response)
  }

  private func send(_ exchange: Exchange, _ response: HTTPResponse) {
    guard unsafe response.addHeaders(to: exchange.request, closing: drainDeadline != nil) else {
      return sendOwn(exchange, Problem.unsendable.response())
    }
    let status = Int32(response.status)
    let isHead = unsafe exchange.request.pointee.type == EVHTTP_REQ_HEAD
    let isBodiless = isHead || response.status == 204 || response.status == 304
    switch response.body {
    case .stream(let stream) where !isBodiless:
      startStream(exchange, status)
      exchange.task = RequestTask.forward(stream, as: exchange.id, to: mailbox)
      if drainDeadline != nil { exchange.endEvents() }
    case .file(let file) where !isBodiless:
      startStream(exchange, status)
      let taken = WakeSignal()
      exchange.taken = taken
      exchange.task = RequestTask.forward(file, as: exchange.id, taken: taken, to: mailbox)
    case .stream, .file, .bytes:
      exchange.phase = .flushing
      exchange.connection.deadline = .now + configuration.keepAliveDeadline
      if case .bytes(let bytes) = response.body {
        unsafe response.addLength(bytes.count, to: exchange.request)
        if !isBodiless {
          unsafe evbuffer_add(
            evhttp_request_get_output_buffer(exchange.request), bytes, bytes.count)
        }
      }
      unsafe evhttp_send_reply(exchange.request, status, statusPhrase(response.status), nil)
    }
  }

  private func startStream(_ exchange: Exchange, _ status: Int32) {
    exchange.phase = .streaming
    exchange.connection.deadline = nil
    // HTTP/1.0 has no chunks: there the stream ends with the connection.
    if unsafe exchange.request.pointee.minor == 0 {
      unsafe evhttp_remove_header(
        evhttp_request_get_input_headers(exchange.request), "Connection")
    }
    unsafe evhttp_send_reply_start(exchange.request, status, statusPhrase(Int(status)))
    // Silence is fine while there is nothing to say, from the client always; being stuck is not.
    // After the start, for only a timer that runs is forgotten: one taken away while reading is off
    // comes back with the first byte the client sends.
    var inactivity = timeval(configuration.inactivity)
    unsafe bufferevent_set_timeouts(exchange.connection.bufferevent, nil, &inactivity)
  }

  /// Sends a part of a stream, or drops a client that does not read.
  func sendChunk(_ id: LoopMessage.ExchangeID, _ bytes: [UInt8]) {
    guard let exchange = exchanges[id], exchange.phase == .streaming, !bytes.isEmpty else { return }
    let unread = unsafe evbuffer_get_length(
      bufferevent_get_output(exchange.connection.bufferevent))
    guard unread <= configuration.streamBacklogMax else { return hangUp(exchange.connection) }
    guard let piece = unsafe evbuffer_new() else { return hangUp(exchange.connection) }
    defer { unsafe evbuffer_free(piece) }
    unsafe evbuffer_add(piece, bytes, bytes.count)
    guard exchange.taken != nil else {
      return unsafe evhttp_send_reply_chunk(exchange.request, piece)
    }
    unsafe evhttp_send_reply_chunk_with_cb(
      exchange.request, piece,
      { _, argument in unsafe Connection.from(argument)?.exchange?.taken?.signal() },
      exchange.connection.pointer)
  }

  /// Closes the connection of an incomplete stream without sending its end.
  func abortStream(_ id: LoopMessage.ExchangeID) {
    guard let exchange = exchanges[id], exchange.phase == .streaming else { return }
    hangUp(exchange.connection)
  }

  func finishStream(_ id: LoopMessage.ExchangeID) {
    guard let exchange = exchanges[id], exchange.phase == .streaming else { return }
    exchange.phase = .flushing
    exchange.task = nil
    exchange.connection.deadline = .now + configuration.keepAliveDeadline
    unsafe evhttp_send_reply_end(exchange.request)
  }

  /// A response's last byte has been written; libevent frees the request.
  private func written(_ connection: Connection) {
    guard let exchange = connection.exchange else { return }
    connection.exchange = nil
    exchanges[exchange.id] = nil
    connection.answered += 1
    forgetLongBody(of: connection)
    connection.admittedMax = 0
    let waiting = unsafe evbuffer_get_length(bufferevent_get_input(connection.bufferevent))
    release(max(0, connection.held - waiting), of: connection)
    connection.deadline =
      .now
      + (connection.scanner.isWithinRequest
        ? configuration.requestDeadline : configuration.keepAliveDeadline)
    var inactivity = timeval(configuration.inactivity)
    unsafe bufferevent_set_timeouts(connection.bufferevent, &inactivity, &inactivity)
    if let refusal = connection.refusal == nil ? judge(connection) : nil {
      unsafe cut(connection, bufferevent_get_input(connection.bufferevent), to: 0)
      refuseItself(connection, refusal)
    } else {
      refuseIfItsTurn(connection)
    }
    if drainDeadline != nil { hangUp(connection) }
  }
}
