internal import CLibevent
internal import Glibc

// A connection's life: accepted, read, ended.
extension EventLoop {
  /// Connections accepted before others get their turn.
  private static let acceptedAtOnce = 64

  func accept() {
    now = .now
    guard let listening = socket.descriptor else { return }
    for _ in 0..<Self.acceptedAtOnce {
      guard connectionCount < connectionsMax else { return stopAccepting() }
      var peer = SocketAddress()
      let descriptor = peer.accept(on: listening)
      guard descriptor < 0 else {
        meet(descriptor, peer)
        continue
      }
      // Out of descriptors, for instance: without a pause the loop would spin. sweep() tries again.
      if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { stopAccepting() }
      return
    }
  }

  private func meet(_ descriptor: Int32, _ peer: SocketAddress) {
    if socket.port != nil {
      var on: Int32 = 1
      // Responses are sent in one write; waiting for more would only cost 40 ms.
      unsafe setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    let slot = freeSlots.popLast() ?? connections.count
    let connection = Connection(
      loop: self, descriptor: descriptor, slot: slot, remoteAddress: peer.host,
      reader: RequestReader(headMax: configuration.headerMax, bodyLimits: bodyLimits), now: now)
    connection.deadline = now + configuration.requestDeadline
    if slot == connections.count { connections.append(nil) }
    connections[slot] = connection
    unsafe connection.reading = event_new(
      base, descriptor, Int16(EV_READ | EV_PERSIST),
      { _, _, argument in
        guard let connection = unsafe Connection.from(argument) else { return }
        connection.loop.readable(connection)
      }, connection.pointer)
    guard unsafe connection.reading != nil else { return close(connection) }
    watch(connection)
  }

  private func readable(_ connection: Connection) {
    guard !connection.isWaiting else { return unwatch(connection) }
    let count = unsafe recv(
      connection.descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      return close(connection)
    }
    guard !connection.isLingering else { return }
    now = .now
    connection.progressed = now
    let arrived = unsafe Span(_unsafeElements: UnsafeBufferPointer(rebasing: room[..<count]))
    if connection.mayRead {
      read(connection, arrived)
    } else {
      pileUp(connection, arrived)
    }
    settle(connection)
    boundHeld(connection)
  }

  /// To be called at the end of a turn in which something happened on a connection.
  func settle(_ connection: Connection) {
    guard connection.isOpen else { return }
    if !connection.isWaiting { watch(connection) }
    count(connection)
  }

  private func watch(_ connection: Connection) {
    guard !connection.isWatched, let event = unsafe connection.reading else { return }
    unsafe event_add(event, nil)
    connection.isWatched = true
  }

  private func unwatch(_ connection: Connection) {
    guard connection.isWatched, let event = unsafe connection.reading else { return }
    unsafe event_del(event)
    connection.isWatched = false
  }

  /// Stops reading from a connection and makes this, which no route gave, its last response.
  func refuseItself(_ connection: Connection, _ response: HTTPResponse) {
    configuration.answeredItself(response.status)
    refuse(connection, response)
  }

  /// Stops reading from a connection and makes this its last response, after those to all earlier
  /// requests.
  func refuse(_ connection: Connection, _ response: HTTPResponse) {
    connection.input = ReceivedBytes()
    connection.pending = nil
    connection.refusal = response.wireBytes
    connection.isPaused = false
    forgetAdmission(of: connection)
    if connection.exchange == nil {
      forgetLongBody(of: connection)
      sendRefusal(connection)
    }
    count(connection)
  }

  /// Sends the response to a refused request, whose turn it is.
  func sendRefusal(_ connection: Connection) {
    guard let bytes = connection.refusal else { return }
    connection.refusal = nil
    connection.isEnding = true
    connection.deadline = now + Self.lingering
    send(connection, bytes[...])
    if connection.isOpen, connection.output.isEmpty { linger(connection) }
  }

  private static let lingering = Duration.seconds(2)

  /// Ends a connection whose last response has been written.
  func depart(_ connection: Connection) {
    connection.isEnding = true
    connection.input = ReceivedBytes()
    var byte: UInt8 = 0
    let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    guard unsafe recv(connection.descriptor, &byte, 1, flags) > 0 else { return close(connection) }
    connection.deadline = now + Self.lingering
    linger(connection)
  }

  /// Sends nothing more, and waits until the client has read everything.
  func linger(_ connection: Connection) {
    shutdown(connection.descriptor, Int32(SHUT_WR))
    connection.isLingering = true
  }

  /// Ends a connection at once, with whatever is going on there.
  func close(_ connection: Connection) {
    guard connection.isOpen else { return }
    connection.isOpen = false
    if let event = unsafe connection.reading { unsafe event_free(event) }
    if let event = unsafe connection.writing { unsafe event_free(event) }
    Glibc.close(connection.descriptor)
    connections[connection.slot] = nil
    freeSlots.append(connection.slot)
    forgetLongBody(of: connection)
    forgetAdmission(of: connection)
    connection.exchange?.task?.cancel()
    connection.exchange = nil
    connection.pending = nil
    connection.input = ReceivedBytes()
    connection.output = Output()
    count(connection)
    makeRoom()
    stopIfDrained()
  }

  /// Accepts further connections if there may be more.
  func makeRoom() {
    guard !isAccepting, connectionCount < connectionsMax, let event = unsafe accepting else {
      return
    }
    unsafe event_add(event, nil)
    isAccepting = true
  }

  private func stopAccepting() {
    guard isAccepting, let event = unsafe accepting else { return }
    unsafe event_del(event)
    isAccepting = false
  }
}
