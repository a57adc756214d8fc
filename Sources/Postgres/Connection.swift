import Lifecycle

/// A connection, opened when needed and again after a loss. Blocks its own thread, not Swift's.
actor Connection {
  nonisolated let thread: SerialThread
  private nonisolated let executor: ThreadOfActor
  nonisolated let interrupt = Interrupt()
  private let configuration: ConnectionConfiguration
  private let reachability: Reachability
  private var wire: Wire?
  var isOpen: Bool { wire != nil }

  init(
    _ configuration: ConnectionConfiguration, _ reachability: Reachability, isQuiet: Bool = false
  ) {
    self.configuration = configuration
    self.reachability = reachability
    thread = SerialThread(isQuiet: isQuiet)
    executor = ThreadOfActor(thread)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Calls `giveBack` once the connection can be lent again, still on its thread, so that the next
  /// caller need not wait until this one resumes.
  /// - Parameters:
  ///   - noteRoundTrips: Gets the number of round trips before this one resumes. That which ends a
  ///     snapshot, for which nobody waits, is not counted.
  ///   - noteEnd: Called before this one resumes if `giveBack` follows later.
  func lend<R: Sendable>(
    _ kind: Session.Kind, until deadline: ContinuousClock.Instant,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R,
    noteRoundTrips: @Sendable (Int) -> Void, noteEnd: @Sendable () -> Void = {},
    giveBack: @escaping @Sendable () -> Void
  ) -> Result<R, PostgresError> {
    var kind = kind
    defer {
      interrupt.end()
      if kind == .snapshot, let wire, wire.hasOpenTransaction {
        noteEnd()
        endSnapshot(giveBack)
      } else {
        giveBack()
      }
    }
    do throws(PostgresError) {
      let wire = try kind == .laterInSnapshot ? openSnapshot() : openWire(until: deadline)
      let before = wire.roundTrips
      defer { noteRoundTrips(wire.roundTrips - before) }
      defer {
        let isDone = !wire.hasOpenTransaction || kind.isSnapshot
        if !wire.isInStep || !isDone { self.wire = nil }
      }
      return .success(try run(&kind, on: wire, until: deadline, body))
    } catch {
      return .failure(error)
    }
  }

  /// Runs the body of a `read` again, in a snapshot, if it needs more than one batch.
  private func run<R: Sendable>(
    _ kind: inout Session.Kind, on wire: Wire, until deadline: ContinuousClock.Instant,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) throws(PostgresError) -> R {
    var session = Session(wire, kind, until: deadline)
    do throws(PostgresError) {
      let value = try body(&session)
      try session.finish()
      return value
    } catch {
      guard session.needsSnapshot, kind == .read else {
        session.rollBack()
        throw error
      }
      kind = .snapshot
      return try run(&kind, on: wire, until: deadline, body)
    }
  }

  func listen(
    _ channels: [StaticString], until deadline: ContinuousClock.Instant
  ) -> Result<ReceivedNotifies, PostgresError> {
    defer { interrupt.end() }
    do throws(PostgresError) {
      var heard = ReceivedNotifies()
      // Unlike in a loan, unrequested messages from the server are expected here.
      if wire?.isInStep != true {
        wire = nil
        heard.isFresh = true
      }
      let attemptEnd = ContinuousClock.now + configuration.connectTimeout
      let wire = if let wire { wire } else { try openWire(until: attemptEnd) }
      do throws(Failure) {
        // Repeated, it only checks whether the server is still there.
        try wire.perform(
          channels.map { "LISTEN \(fragment: $0)" }, until: attemptEnd
        ) { _, _ in }
        if !heard.isFresh { heard.channels = try wire.notifiedChannels(until: deadline) }
      } catch {
        self.wire = nil
        throw error.error
      }
      return .success(heard)
    } catch {
      return .failure(error)
    }
  }

  func close() { wire = nil }

  /// Ends a snapshot and calls `giveBack`, on the connection's thread.
  nonisolated func endSnapshot(_ giveBack: @escaping @Sendable () -> Void) {
    thread.run {
      self.assumeIsolated { connection in
        guard let wire = connection.wire else { return }
        Session(wire, .snapshot, until: .now).endSnapshot()
        if !wire.isInStep { connection.wire = nil }
      }
      giveBack()
    }
  }

  private func openSnapshot() throws(PostgresError) -> Wire {
    guard let wire, wire.isInStep, wire.hasOpenTransaction else {
      throw .unavailable(detail: "the snapshot was lost with its connection")
    }
    return wire
  }

  private func openWire(until deadline: ContinuousClock.Instant) throws(PostgresError) -> Wire {
    if let wire, wire.isUsable { return wire }
    wire = nil
    try reachability.claimAttempt()
    let start = ContinuousClock.now
    let attemptEnd = min(deadline, start + configuration.connectTimeout)
    do throws(Failure) {
      let wire = try Wire.connect(
        configuration, beginningWith: reachability.server, until: attemptEnd, interrupt)
      reachability.succeeded(with: wire.server)
      self.wire = wire
      return wire
    } catch {
      // An interrupted attempt gives no information about the database.
      let wasCutShort =
        attemptEnd <= ContinuousClock.now && start.duration(to: attemptEnd) < Backoff.pauseMin
      if wasCutShort || error.error == .cancelled {
        reachability.gaveUp()
      } else {
        reachability.failed(because: error.reason)
      }
      throw error.error
    }
  }
}

/// Runs the actor's jobs on its thread, which may block.
private final class ThreadOfActor: SerialExecutor {
  let thread: SerialThread

  init(_ thread: SerialThread) { self.thread = thread }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    thread.run { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { precondition(thread.isCurrent, "not on the connection's thread") }
}
