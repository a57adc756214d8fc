internal import CLibevent
internal import Glibc

// A connection's life: accepted, met, read, ended.
extension EventLoop {
  /// evhttp asks for a new connection's bufferevent.
  func accepted() -> OpaquePointer? {
    let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
    guard let bufferevent = unsafe bufferevent_socket_new(base, -1, options) else { return nil }
    let connection = unsafe Connection(
      loop: self, bufferevent: bufferevent,
      scanner: FramingScanner(headMax: configuration.headerMax, bodyLimits: bodyLimits),
      deadline: .now + configuration.requestDeadline)
    connections[connection.key] = connection
    newcomers.append(connection)
    unsafe event_active(meeting, 0, 0)
    unsafe evbuffer_add_cb(
      bufferevent_get_input(bufferevent), Self.onInput, connection.pointer)
    if connections.count >= connectionsMax { unsafe evconnlistener_disable(listener) }
    return unsafe bufferevent
  }

  /// Makes evhttp report each new connection's end. By default it does not report
  /// connections that end before their first request. Runs before the loop polls again.
  func meetNewcomers() {
    for connection in newcomers {
      // evhttp makes its connection the argument of the bufferevent's callbacks.
      var argument: UnsafeMutableRawPointer?
      unsafe bufferevent_getcb(connection.bufferevent, nil, nil, nil, &argument)
      guard let evhttp = OpaquePointer(argument) else { continue }
      unsafe connection.evhttp = evhttp
      unsafe evhttp_connection_set_closecb(
        evhttp,
        { _, argument in
          guard let connection = unsafe Connection.from(argument) else { return }
          connection.loop.ended(connection)
        }, connection.pointer)
      greet(connection)
    }
    newcomers.removeAll(keepingCapacity: true)
  }

  private func greet(_ connection: Connection) {
    guard socket.port != nil else { return }
    var on: Int32 = 1
    // Responses are sent in one write; waiting for more would only cost 40 ms.
    unsafe setsockopt(
      bufferevent_getfd(connection.bufferevent), Int32(IPPROTO_TCP), TCP_NODELAY, &on,
      socklen_t(MemoryLayout<Int32>.size))
    var host: UnsafeMutablePointer<CChar>?
    var port: UInt16 = 0
    unsafe evhttp_connection_get_peer(connection.evhttp, &host, &port)
    connection.remoteAddress = unsafe host.map { unsafe String(cString: $0) }
  }

  /// Sees every byte before evhttp does.
  private static let onInput: evbuffer_cb_func = { buffer, change, argument in
    guard let buffer = unsafe buffer, let change = unsafe change?.pointee, change.n_added > 0,
      let connection = unsafe Connection.from(argument)
    else { return }
    unsafe connection.loop.read(connection, buffer, before: change.orig_size, new: change.n_added)
  }

  private func read(
    _ connection: Connection, _ buffer: OpaquePointer, before: Int, new count: Int
  ) {
    guard !connection.isCutting else { return }
    guard connection.refusal == nil else { return unsafe cut(connection, buffer, to: before) }
    let wasWithin = connection.scanner.isWithinRequest
    let fault = unsafe scan(connection, buffer, after: before, count)
    if !wasWithin, connection.answered > 0, connection.exchange == nil {
      connection.deadline = .now + configuration.requestDeadline
    }
    let refusal = fault?.problem.response() ?? hold(count, of: connection) ?? judge(connection)
    guard let refusal else {
      // evhttp holds one request at a time. A client that sends many more ahead, or during a
      // stream, is filling our memory.
      let waitingMax = connection.scanner.waitingMax(admitted: connection.admittedMax)
      if before + count > waitingMax { hangUp(connection) }
      return
    }
    // Whole requests before the faulty one are still answered; it and what follows never reach
    // evhttp.
    unsafe cut(connection, buffer, to: max(0, before + connection.scanner.requestStart))
    refuseItself(connection, refusal)
  }

  private func scan(
    _ connection: Connection, _ buffer: OpaquePointer, after before: Int, _ count: Int
  ) -> FramingFault? {
    do throws(FramingFault) {
      try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) {
        (bytes) throws(FramingFault) in
        var position = unsafe evbuffer_ptr()
        unsafe evbuffer_ptr_set(buffer, &position, before, EVBUFFER_PTR_SET)
        unsafe evbuffer_copyout_from(buffer, &position, bytes.baseAddress, count)
        let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(bytes))
        try connection.scanner.scan(span)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Keeps the first `length` bytes of a bufferevent's input, from within its callback.
  func cut(_ connection: Connection, _ buffer: OpaquePointer, to length: Int) {
    connection.isCutting = true
    defer { connection.isCutting = false }
    guard let kept = unsafe evbuffer_new() else { return }
    defer { unsafe evbuffer_free(kept) }
    unsafe evbuffer_remove_buffer(buffer, kept, length)
    unsafe evbuffer_drain(buffer, evbuffer_get_length(buffer))
    unsafe evbuffer_add_buffer(buffer, kept)
  }

  /// Stops reading from a connection and makes this, which no route gave, its last response.
  func refuseItself(_ connection: Connection, _ response: HTTPResponse) {
    configuration.answeredItself(response.status)
    refuse(connection, response)
  }

  /// Stops reading from a connection and makes this its last response.
  func refuse(_ connection: Connection, _ response: HTTPResponse) {
    connection.refusal = response.wireBytes
    resume(connection)
    refuseIfItsTurn(connection)
  }

  /// Writes the response to a refused request without evhttp, which does not know it, once all the
  /// earlier ones are written. Then nothing more is sent, and input is dropped until the
  /// client has read it and closes; closing at once would reset the connection and lose the answer.
  func refuseIfItsTurn(_ connection: Connection) {
    guard let bytes = connection.refusal, connection.exchange == nil,
      unsafe evbuffer_get_length(bufferevent_get_input(connection.bufferevent)) == 0
    else { return }
    guard unsafe evbuffer_get_length(bufferevent_get_output(connection.bufferevent)) == 0 else {
      return hangUp(connection)
    }
    let descriptor = unsafe bufferevent_getfd(connection.bufferevent)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    _ = unsafe send(descriptor, bytes, bytes.count, flags)
    shutdown(descriptor, Int32(SHUT_WR))
    connection.deadline = .now + Self.lingering
  }

  private static let lingering = Duration.seconds(2)

  private func ended(_ connection: Connection) {
    connections[connection.key] = nil
    forgetLongBody(of: connection)
    forgetAdmission(of: connection)
    release(connection.held, of: connection)
    unsafe evbuffer_remove_cb(
      bufferevent_get_input(connection.bufferevent), Self.onInput, connection.pointer)
    if let exchange = connection.exchange {
      connection.exchange = nil
      exchanges[exchange.id] = nil
      exchange.task?.cancel()
      // Cut off from its connection, a request is ours to free; otherwise libevent does it now.
      if unsafe evhttp_request_get_connection(exchange.request) == nil {
        unsafe evhttp_request_free(exchange.request)
      }
    }
    makeRoom()
    stopIfDrained()
  }

  /// Lets libevent find the end of the connection, which it does by reading.
  func hangUp(_ connection: Connection) {
    resume(connection)
    unsafe shutdown(bufferevent_getfd(connection.bufferevent), Int32(SHUT_RDWR))
  }

  func makeRoom() {
    guard connections.count < connectionsMax, let listener = unsafe listener else { return }
    unsafe evconnlistener_enable(listener)
  }
}
