internal import Lifecycle

// Long bodies: the sender is authenticated from the head, before the body is read.
extension EventLoop {
  /// Checks the long body that is to be read next; nothing is read until that is decided.
  /// - Returns: The response, if it is refused at once.
  func judge(_ connection: Connection) -> HTTPResponse? {
    guard case .success(let request)? = connection.pending?.request else {
      return FramingFault.target.problem.response()
    }
    // A chunked body has been read in part: its sender is judged by the head alone.
    var head = request
    head.body = []
    switch dispatching(head) {
    case .answer(let response): return response
    case .run(let request, let route): return judge(connection, request, for: route)
    }
  }

  private func judge(
    _ connection: Connection, _ request: HTTPRequest, for route: Route
  ) -> HTTPResponse? {
    guard connection.reader.bodyBytes <= route.bodyMax else {
      return Problem.bodyTooLarge(max: route.bodyMax).response()
    }
    guard let admission = route.admission else { return admit(connection, route.bodyMax) }
    guard inflight < configuration.inflightMax else { return Problem.overloaded.response() }
    inflight += 1
    lastNumber += 1
    connection.deadline = now + (route.deadline ?? configuration.answerDeadline)
    let task = RequestTask.judge(
      request, as: LoopMessage.ExchangeID(slot: connection.slot, number: lastNumber),
      by: admission, on: place(for: route, bodyBytes: 0), answering: mailbox)
    connection.admission = Admission(number: lastNumber, bodyMax: route.bodyMax, task: task)
    return nil
  }

  /// An admission has been decided; its client may be gone.
  func judged(_ id: LoopMessage.ExchangeID, _ refusal: HTTPResponse?) {
    inflight -= 1
    guard connections.indices.contains(id.slot), let connection = connections[id.slot],
      let admission = connection.admission, admission.number == id.number
    else { return }
    connection.admission = nil
    if let refusal {
      refuse(connection, refusal)
    } else if let refusal = admit(connection, admission.bodyMax) {
      refuseItself(connection, refusal)
    } else {
      connection.progressed = now
      goOn(connection, isNew: false)
    }
    settle(connection)
  }

  /// Answers instead of an admission that takes too long, and cancels it.
  func giveUpAdmission(of connection: Connection) {
    refuseItself(connection, Problem.handlerTooSlow.response())
    settle(connection)
  }

  /// Accepts the current body. Few very long ones at once.
  private func admit(_ connection: Connection, _ bodyMax: Int) -> HTTPResponse? {
    connection.reader.admit(bodyMax: bodyMax)
    if connection.reader.isLong {
      guard longBodies < configuration.longBodiesMax else {
        return FramingFault.tooManyLongBodies.problem.response()
      }
      connection.hasLongBody = true
      longBodies += 1
    }
    connection.deadline = now + configuration.longBodyDeadline
    return nil
  }

  /// The connection's long body, if there was one, is not needed any more.
  func forgetLongBody(of connection: Connection) {
    guard connection.hasLongBody else { return }
    connection.hasLongBody = false
    longBodies -= 1
  }

  func forgetAdmission(of connection: Connection) {
    connection.admission?.task.cancel()
    connection.admission = nil
  }
}

// Memory: the total of all requests is bounded, and returned to the system after peaks.
extension EventLoop {
  /// The minimum drop that makes returning memory worthwhile.
  private static let handedBackMin = 4 << 20

  /// Counts what a connection holds of requests that are not answered yet.
  func count(_ connection: Connection) {
    let held =
      connection.input.count + (connection.pending?.count ?? 0) + (connection.exchange?.held ?? 0)
    heldBytes += held - connection.held
    connection.held = held
    heldPeak = max(heldPeak, heldBytes)
  }

  /// Refuses what has just been received if all connections together hold too much. A request that
  /// is being answered is answered first, as usual.
  func boundHeld(_ connection: Connection) {
    guard heldBytes > heldMax, connection.mayKeepInput, connection.isWithinRequest else { return }
    refuseItself(connection, Problem.overloaded.response())
  }

  /// Returns freed memory to the system, once, when much less is used than at the peak. It takes
  /// milliseconds, in which nobody should wait.
  func handMemoryBack() {
    guard heldPeak - heldBytes >= Self.handedBackMin else { return }
    heldPeak = heldBytes
    _ = OwnThread.start(configuration.giveMemoryBack)
  }
}
