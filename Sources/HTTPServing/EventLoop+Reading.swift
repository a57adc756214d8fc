internal import CLibevent

// Requests are read where their bytes were received, one after the other.
extension EventLoop {
  /// Requests of a connection answered before others get their turn.
  private static let answeredAtOnce = 32

  /// Reads what has arrived, after what may be left from earlier.
  func read(_ connection: Connection, _ arrived: Span<UInt8>) {
    guard connection.input.isEmpty else {
      connection.input.append(arrived)
      return goOn(connection, isNew: false)
    }
    let isNew = !connection.reader.isWithinRequest
    let answered = connection.answered
    let used = take(connection, arrived)
    guard connection.mayKeepInput else { return }
    connection.input.append(arrived.extracting(used...))
    beginDeadline(connection, isNew: isNew || connection.answered > answered)
  }

  /// Reads on, in what was received earlier, once a connection may.
  /// - Parameter isNew: Whether the time for the request begins now.
  func goOn(_ connection: Connection, isNew: Bool = true) {
    guard connection.mayRead else { return }
    connection.isPaused = false
    connection.isBehind = false
    // Out of the connection while it is read, so that nothing there can change it.
    let input = connection.input
    connection.input = ReceivedBytes()
    let answered = connection.answered
    let used = take(connection, input.bytes.span.extracting(input.start...))
    guard connection.mayKeepInput else { return }
    connection.input = input
    connection.input.drop(used)
    beginDeadline(connection, isNew: isNew || connection.answered > answered)
  }

  /// Has a connection go on after others have been polled and had their turn.
  private func fallBehind(_ connection: Connection) {
    guard let event = unsafe catchingUp else { return close(connection) }
    connection.isBehind = true
    behind.append(connection)
    var atOnce = timeval()
    unsafe event_add(event, &atOnce)
  }

  func catchUp() {
    now = .now
    let connections = behind
    behind = []
    for connection in connections where connection.isOpen && connection.isBehind {
      goOn(connection)
      settle(connection)
    }
  }

  /// Gives a later request of a connection its time, from its first byte on. An admitted body has
  /// more already.
  private func beginDeadline(_ connection: Connection, isNew: Bool) {
    guard isNew, connection.mayRead, connection.answered > 0, connection.isWithinRequest,
      !connection.reader.isAdmitted
    else { return }
    connection.deadline = now + configuration.requestDeadline
  }

  /// Takes requests from `bytes` and begins to answer them, until one has to be waited for, or
  /// until it is time for other connections.
  /// - Returns: How many of the bytes are done with.
  private func take(_ connection: Connection, _ bytes: Span<UInt8>) -> Int {
    var used = 0
    let end = connection.answered + Self.answeredAtOnce
    while connection.mayRead {
      guard connection.answered < end || used == bytes.count else {
        fallBehind(connection)
        return used
      }
      let rest = bytes.extracting(used...)
      var taken = 0
      do throws(FramingFault) {
        switch try connection.reader.next(rest, taking: &taken) {
        case .needsMore:
          sendContinue(connection, hasMore: taken < rest.count)
          return used + taken
        case .head: taken = takeHead(connection, rest)
        case .admission:
          if let refusal = judge(connection) { refuseItself(connection, refusal) }
        case .body(let part): connection.takeBody(rest.extracting(part))
        case .end: begin(connection)
        }
      } catch {
        refuseItself(connection, error.problem.response())
      }
      used += taken
    }
    return used
  }

  /// Takes a request by its head.
  /// - Returns: Bytes of the head, or of the whole request if its direct way took it.
  private func takeHead(_ connection: Connection, _ bytes: Span<UInt8>) -> Int {
    let head = connection.reader.head
    if let count = takeDirectly(connection, head, bytes) { return count }
    let request: Result<HTTPRequest, RequestTargetError>
    do throws(RequestTargetError) {
      request = .success(
        try HTTPRequest(head, of: bytes, receivedAt: now, from: connection.remoteAddress))
    } catch {
      request = .failure(error)
    }
    connection.pending = PendingRequest(
      request: request, framing: ResponseFraming(head),
      owesContinue: head.expectsContinue && head.minorVersion > 0 && head.body != .none,
      count: head.count)
    return head.count
  }

  /// Tells a client that waits for it to send its body, unless some of that has arrived.
  private func sendContinue(_ connection: Connection, hasMore: Bool) {
    guard connection.pending?.owesContinue == true else { return }
    connection.pending?.owesContinue = false
    guard !hasMore else { return }
    send(connection, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...])
  }

  /// Keeps what arrives while a request is being answered: only to find out that the client leaves.
  func pileUp(_ connection: Connection, _ arrived: Span<UInt8>) {
    guard connection.refusal == nil else { return }
    connection.input.append(arrived)
    // A client that sends many requests ahead is filling our memory.
    let waitingMax = bodyLimits.unasked + 4 * configuration.headerMax
    if connection.input.count > waitingMax { overflow(connection) }
  }

  /// More has piled up than short requests need: waits if there is a longer one among them.
  private func overflow(_ connection: Connection) {
    // What is read here is read again when it is its turn.
    var reader = connection.reader
    let input = connection.input
    var (place, isFirst) = (input.start, true)
    do throws(FramingFault) {
      while true {
        var taken = 0
        let step = try reader.next(input.bytes.span.extracting(place...), taking: &taken)
        place += taken
        switch step {
        case .needsMore: return close(connection)
        case .admission:
          if isFirst, reader.isLong { throw .tooManyLongBodies }
          connection.isPaused = true
          return
        case .end: isFirst = false
        case .head, .body: break
        }
      }
    } catch {
      // Refused now, the requests before it would be lost.
      guard isFirst else {
        connection.isPaused = true
        return
      }
      refuseItself(connection, error.problem.response())
    }
  }
}

extension Connection {
  fileprivate func takeBody(_ part: Span<UInt8>) {
    guard var pending else { return }
    // The body must be in one place, or it would be copied.
    self.pending = nil
    pending.take(part, of: reader)
    self.pending = pending
  }
}

extension PendingRequest {
  /// Appends to the body. Its room grows with it, however much was announced.
  fileprivate mutating func take(_ part: Span<UInt8>, of reader: RequestReader) {
    owesContinue = false
    count += part.count
    guard case .success(var request) = request else { return }
    self.request = .failure(.noPath)
    let needed = request.body.count + part.count
    if case .length(let length) = reader.head.body, request.body.capacity < needed {
      request.body.reserveCapacity(min(length, 2 * needed))
    }
    request.body.append(part)
    self.request = .success(request)
  }
}
