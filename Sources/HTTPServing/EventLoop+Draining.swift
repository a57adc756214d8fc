internal import CLibevent

// Deadlines and shutdown.
extension EventLoop {
  func sweep() {
    let now = ContinuousClock.now
    // A copy: hanging up may end connections.
    for connection in Array(connections.values) {
      guard let deadline = connection.deadline, now >= deadline else { continue }
      if let exchange = connection.exchange, exchange.phase == .handling {
        giveUp(on: exchange)
      } else if connection.admission != nil {
        giveUpAdmission(of: connection)
      } else {
        hangUp(connection)
      }
    }
    makeRoom()
    handMemoryBack()
    stopIfDrained()
  }

  /// Stops accepting, closes idle connections, ends the streams of events; the rest continues.
  func drain() {
    guard drainDeadline == nil else { return }
    drainDeadline = .now + configuration.drainGrace
    unsafe listener = nil
    if let bound = unsafe boundSocket { unsafe evhttp_del_accept_socket(http, bound) }
    unsafe boundSocket = nil
    socket.close()
    for connection in Array(connections.values) {
      switch connection.exchange?.phase {
      case .streaming: connection.exchange?.endEvents()
      case .handling, .flushing: break
      case nil: if !connection.scanner.isWithinRequest { hangUp(connection) }
      }
    }
    stopIfDrained()
  }

  /// Ends the loop when it drains and no connection is left, or the grace period is over.
  func stopIfDrained() {
    guard let drainDeadline, connections.isEmpty || ContinuousClock.now >= drainDeadline else {
      return
    }
    unsafe event_base_loopbreak(base)
  }
}

extension Exchange {
  /// Ends streams that would not end by themselves.
  func endEvents() {
    if taken == nil { task?.cancel() }
  }
}
