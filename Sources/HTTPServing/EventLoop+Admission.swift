internal import CLibevent

// Long bodies: who sends one is asked on its head, before it is read.
extension EventLoop {
  /// Judges the body at hand if it is long and its turn has come; reading rests until then.
  /// - Returns: The answer, when it is refused at once.
  func judge(_ connection: Connection) -> HTTPResponse? {
    // evhttp turns reading on again by itself now and then.
    if connection.isPaused { pause(connection) }
    guard connection.scanner.wantsAdmission, connection.admission == nil else { return nil }
    guard connection.scanner.finished == connection.answered else {
      // What is not answered yet is in memory: no very long body comes behind it.
      if connection.scanner.isLong { return FramingFault.tooManyLongBodies.problem.response() }
      pause(connection)
      return nil
    }
    guard
      let request = try? HTTPRequest(
        head: connection.scanner.headText, from: connection.remoteAddress)
    else { return FramingFault.target.problem.response() }
    switch dispatching(request) {
    case .answer(let response): return response
    case .run(let request, let route): return judge(connection, request, for: route)
    }
  }

  private func judge(
    _ connection: Connection, _ request: HTTPRequest, for route: Router.Route
  ) -> HTTPResponse? {
    guard connection.scanner.bodyBytes <= route.bodyMax else {
      return Problem.bodyTooLarge(max: route.bodyMax).response()
    }
    guard let admission = route.admission else { return admit(connection, route.bodyMax) }
    guard inflight < configuration.inflightMax else { return Problem.overloaded.response() }
    inflight += 1
    lastExchangeID += 1
    pause(connection)
    connection.deadline = .now + route.deadline
    admissions[lastExchangeID] = connection
    connection.admission = Admission(
      id: lastExchangeID, bodyMax: route.bodyMax,
      task: RequestTask.judge(
        request, as: lastExchangeID, by: admission, on: route.isBrief ? executor : nil,
        answering: mailbox))
    return nil
  }

  /// An admission has been decided on; its client may be gone.
  func judged(_ id: LoopMessage.ExchangeID, _ refusal: HTTPResponse?) {
    inflight -= 1
    guard let connection = admissions[id], let admission = connection.admission else { return }
    forgetAdmission(of: connection)
    guard let refusal = refusal ?? admit(connection, admission.bodyMax) else { return }
    turnAway(connection, refusal)
  }

  /// Answers instead of an admission that takes too long, and asks it to stop.
  func giveUpAdmission(of connection: Connection) {
    forgetAdmission(of: connection)
    turnAway(connection, Problem.handlerTooSlow.response())
  }

  /// Refuses the body at hand, whose head evhttp has already.
  private func turnAway(_ connection: Connection, _ refusal: HTTPResponse) {
    unsafe cut(connection, bufferevent_get_input(connection.bufferevent), to: 0)
    refuse(connection, refusal)
  }

  /// Lets the body at hand come. Few very long ones at once.
  private func admit(_ connection: Connection, _ bodyMax: Int) -> HTTPResponse? {
    connection.scanner.admit(bodyMax: bodyMax)
    connection.admittedMax = min(bodyMax, bodyLimits.longest)
    if connection.scanner.isLong {
      guard longBodies < configuration.longBodiesMax else {
        return FramingFault.tooManyLongBodies.problem.response()
      }
      connection.hasLongBody = true
      longBodies += 1
    }
    connection.deadline = .now + configuration.longBodyDeadline
    resume(connection)
    return nil
  }

  /// The connection's long body, if there was one, is needed no more.
  func forgetLongBody(of connection: Connection) {
    guard connection.hasLongBody else { return }
    connection.hasLongBody = false
    longBodies -= 1
  }

  /// Nobody waits for the decision any more.
  func forgetAdmission(of connection: Connection) {
    guard let admission = connection.admission else { return }
    admission.task.cancel()
    admissions[admission.id] = nil
    connection.admission = nil
  }

  /// Reads no further for now: what the client sends stays with the kernel, and then with itself.
  private func pause(_ connection: Connection) {
    connection.isPaused = true
    pausing.append(connection)
    unsafe event_active(meeting, 0, 0)
  }

  /// Turns reading off, which evhttp would turn on again where `pause` was called.
  func pauseReading() {
    for connection in pausing
    where connection.isPaused && connections[connection.key] === connection {
      unsafe bufferevent_disable(connection.bufferevent, Int16(EV_READ))
    }
    pausing.removeAll(keepingCapacity: true)
  }

  /// Reads again.
  func resume(_ connection: Connection) {
    guard connection.isPaused else { return }
    connection.isPaused = false
    unsafe bufferevent_enable(connection.bufferevent, Int16(EV_READ))
  }
}

// Memory: what all requests hold together is bounded, and handed back after a crowd.
extension EventLoop {
  /// What libevent takes for a read at least, however few bytes it brought.
  private static let readCost = 512
  /// So much less held than there was is worth to be handed back.
  private static let handedBackMin = 4 << 20

  /// Counts what a read brought.
  /// - Returns: The answer, when it is too much.
  func hold(_ count: Int, of connection: Connection) -> HTTPResponse? {
    connection.held += count + Self.readCost
    heldBytes += count + Self.readCost
    heldPeak = max(heldPeak, heldBytes)
    guard heldBytes > heldMax else { return nil }
    guard !connection.scanner.isWithinRequest else { return Problem.overloaded.response() }
    // It came whole, and is answered as any other; but none is sent ahead now.
    if connection.exchange != nil { hangUp(connection) }
    return nil
  }

  func release(_ count: Int, of connection: Connection) {
    connection.held -= count
    heldBytes -= count
  }

  /// Hands freed memory back to the system, once, when much less is held than at the peak.
  func handMemoryBack() {
    guard heldPeak - heldBytes >= Self.handedBackMin else { return }
    heldPeak = heldBytes
    configuration.giveMemoryBack()
  }
}

/// Without this call the allocator keeps freed memory that lies between used blocks for ever.
func trimMemory() { malloc_trim(0) }
