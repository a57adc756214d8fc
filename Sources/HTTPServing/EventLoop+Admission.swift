internal import CLibevent
internal import Lifecycle

// Long bodies: the sender is authenticated from the head, before the body is read.
extension EventLoop {
  /// Checks the current body if it is long and its turn has come; reading is paused until then.
  /// - Returns: The response, if it is refused at once.
  func judge(_ connection: Connection) -> HTTPResponse? {
    // evhttp turns reading on again by itself now and then.
    if connection.isPaused { pause(connection) }
    guard connection.scanner.wantsAdmission, connection.admission == nil else { return nil }
    guard connection.scanner.finished == connection.answered else {
      // Unanswered requests are in memory, so no very long body may follow them.
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
    _ connection: Connection, _ request: HTTPRequest, for route: Route
  ) -> HTTPResponse? {
    guard connection.scanner.bodyBytes <= route.bodyMax else {
      return Problem.bodyTooLarge(max: route.bodyMax).response()
    }
    guard let admission = route.admission else { return admit(connection, route.bodyMax) }
    guard inflight < configuration.inflightMax else { return Problem.overloaded.response() }
    inflight += 1
    lastExchangeID += 1
    pause(connection)
    connection.deadline = .now + (route.deadline ?? configuration.answerDeadline)
    admissions[lastExchangeID] = connection
    connection.admission = Admission(
      id: lastExchangeID, bodyMax: route.bodyMax,
      task: RequestTask.judge(
        request, as: lastExchangeID, by: admission, on: place(for: route, bodyBytes: 0),
        answering: mailbox))
    return nil
  }

  /// An admission has been decided; its client may be gone.
  func judged(_ id: LoopMessage.ExchangeID, _ refusal: HTTPResponse?) {
    inflight -= 1
    guard let connection = admissions[id], let admission = connection.admission else { return }
    forgetAdmission(of: connection)
    if let refusal { return turnAway(connection, refusal) }
    guard let refusal = admit(connection, admission.bodyMax) else { return }
    turnAwayItself(connection, refusal)
  }

  /// Answers instead of an admission that takes too long, and cancels it.
  func giveUpAdmission(of connection: Connection) {
    forgetAdmission(of: connection)
    turnAwayItself(connection, Problem.handlerTooSlow.response())
  }

  /// Refuses the current body with a response that no route gave.
  private func turnAwayItself(_ connection: Connection, _ refusal: HTTPResponse) {
    configuration.answeredItself(refusal.status)
    turnAway(connection, refusal)
  }

  /// Refuses the current body, whose head evhttp already has.
  private func turnAway(_ connection: Connection, _ refusal: HTTPResponse) {
    unsafe cut(connection, bufferevent_get_input(connection.bufferevent), to: 0)
    refuse(connection, refusal)
  }

  /// Accepts the current body. Few very long ones at once.
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

  /// The connection's long body, if there was one, is not needed any more.
  func forgetLongBody(of connection: Connection) {
    guard connection.hasLongBody else { return }
    connection.hasLongBody = false
    longBodies -= 1
  }

  func forgetAdmission(of connection: Connection) {
    guard let admission = connection.admission else { return }
    admission.task.cancel()
    admissions[admission.id] = nil
    connection.admission = nil
  }

  /// Pauses reading: further data stays in the kernel, and then with the client.
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

  func resume(_ connection: Connection) {
    guard connection.isPaused else { return }
    connection.isPaused = false
    unsafe bufferevent_enable(connection.bufferevent, Int16(EV_READ))
  }
}

// Memory: the total of all requests is bounded, and returned to the system after peaks.
extension EventLoop {
  /// The minimum memory that libevent uses for a read, however few bytes it brought.
  private static let readCost = 512
  /// The minimum drop that makes returning memory worthwhile.
  private static let handedBackMin = 4 << 20

  /// Counts what a read brought; returns the response if it is too much.
  func hold(_ count: Int, of connection: Connection) -> HTTPResponse? {
    connection.held += count + Self.readCost
    heldBytes += count + Self.readCost
    heldPeak = max(heldPeak, heldBytes)
    guard heldBytes > heldMax else { return nil }
    guard !connection.scanner.isWithinRequest else { return Problem.overloaded.response() }
    // The complete request is answered as usual, but further ones are not accepted now.
    if connection.exchange != nil { hangUp(connection) }
    return nil
  }

  func release(_ count: Int, of connection: Connection) {
    connection.held -= count
    heldBytes -= count
  }

  /// Returns freed memory to the system, once, when much less is used than at the peak. It takes
  /// milliseconds, in which nobody should wait.
  func handMemoryBack() {
    guard heldPeak - heldBytes >= Self.handedBackMin else { return }
    heldPeak = heldBytes
    _ = OwnThread.start(configuration.giveMemoryBack)
  }
}
