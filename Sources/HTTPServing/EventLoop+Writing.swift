internal import CLibevent
internal import Glibc

// Bytes go to the socket at once; what it does not take is kept, and sent when it has room.
extension EventLoop {
  /// Up to this length a body is sent together with its head, by one call.
  private static let joinedMax = 32_768
  /// Bytes sent to a connection before others get their turn.
  private static let sentAtOnce = 1 << 20

  /// Sends `outgoing`, then `body` and `end`.
  func sendOutgoing(_ connection: Connection, _ body: [UInt8], end: String = "") {
    guard body.count > Self.joinedMax else {
      outgoing += body
      outgoing += end.utf8
      return send(connection, outgoing[...])
    }
    send(connection, outgoing[...], hasMore: true)
    send(connection, body[...], hasMore: !end.isEmpty)
    if !end.isEmpty { send(connection, Array(end.utf8)[...]) }
  }

  /// - Parameter hasMore: Whether the rest follows at once, so that the system may wait for it.
  func send(_ connection: Connection, _ bytes: ArraySlice<UInt8>, hasMore: Bool = false) {
    guard connection.isOpen else { return }
    guard connection.output.isEmpty else { return connection.output.append(bytes) }
    guard let sent = give(connection, bytes, hasMore: hasMore) else { return close(connection) }
    guard sent < bytes.count else { return }
    connection.output.append(bytes.dropFirst(sent))
    connection.progressed = now
    waitForRoom(connection)
  }

  /// - Returns: How many bytes the socket took; `nil` if it is of no more use.
  private func give(
    _ connection: Connection, _ bytes: ArraySlice<UInt8>, hasMore: Bool
  ) -> Int? {
    let flags = MSG_NOSIGNAL | MSG_DONTWAIT | (hasMore ? MSG_MORE : 0)
    let (sent, code) = unsafe bytes.withUnsafeBytes {
      unsafe (Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(flags)), errno)
    }
    guard sent < 0 else { return sent }
    return code == EAGAIN || code == EINTR ? 0 : nil
  }

  private func waitForRoom(_ connection: Connection) {
    if unsafe connection.writing == nil {
      unsafe connection.writing = event_new(
        base, connection.descriptor, Int16(EV_WRITE | EV_PERSIST),
        { _, _, argument in
          guard let connection = unsafe Connection.from(argument) else { return }
          connection.loop.writable(connection)
        }, connection.pointer)
    }
    guard let event = unsafe connection.writing else { return close(connection) }
    unsafe event_add(event, nil)
  }

  private func writable(_ connection: Connection) {
    now = .now
    var left = Self.sentAtOnce
    while left > 0, let piece = connection.output.first {
      guard let sent = give(connection, piece, hasMore: false) else { return close(connection) }
      if sent > 0 { connection.progressed = now }
      connection.output.drop(sent)
      left -= sent
      guard sent == piece.count else { return }
    }
    guard connection.output.isEmpty else { return }
    if let event = unsafe connection.writing { unsafe event_del(event) }
    connection.exchange?.taken?.signal()
    if connection.isEnding {
      linger(connection)
    } else if connection.exchange != nil {
      finishIfWritten(connection)
      goOn(connection)
    }
    settle(connection)
  }
}
