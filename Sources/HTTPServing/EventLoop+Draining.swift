internal import CLibevent

// Deadlines and shutdown.
extension EventLoop {
  func sweep() {
    now = .now
    date.renew()
    // A copy: connections end meanwhile.
    for case let connection? in connections {
      if let deadline = connection.deadline, now >= deadline {
        giveUpWaiting(for: connection)
      } else if connection.isStalled, now - connection.progressed >= configuration.inactivity {
        close(connection)
      }
    }
    makeRoom()
    handMemoryBack()
    stopIfDrained()
  }

  private func giveUpWaiting(for connection: Connection) {
    if connection.exchange?.phase == .handling {
      giveUp(connection)
    } else if connection.admission != nil {
      giveUpAdmission(of: connection)
    } else {
      close(connection)
    }
  }

  /// Stops accepting, closes idle connections, ends the streams of events; the rest continues.
  func drain() {
    guard drainDeadline == nil else { return }
    drainDeadline = now + configuration.drainGrace
    if let event = unsafe accepting { unsafe event_free(event) }
    unsafe accepting = nil
    socket.close()
    for case let connection? in connections {
      if connection.exchange?.phase == .streaming {
        connection.endEvents()
      } else if connection.mayRead, !connection.isWithinRequest {
        close(connection)
      }
    }
    stopIfDrained()
  }

  /// Ends the loop when it drains and no connection is left, or the grace period is over.
  func stopIfDrained() {
    guard let drainDeadline, connectionCount == 0 || ContinuousClock.now >= drainDeadline else {
      return
    }
    unsafe event_base_loopbreak(base)
  }
}
