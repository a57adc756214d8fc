public import ShiftDomain

extension GuardSession {
  /// Whether to track now. While a clock action waits for its answer or its review, the newest one
  /// decides: a shift that was begun offline is tracked, and a break that was begun offline is not.
  public var isTracking: Bool {
    get async {
      if await sender.hasClockAction, let tracks = memory.tracksLocally { return tracks }
      return await order?.track ?? false
    }
  }

  private var order: TrackingOrder? { get async { await sender.order ?? memory.order } }

  /// Does what tracking needs now: asks for a position when one is due and stores it, or a sign of
  /// life when there is none for too long. To be called at the start, after every event that says
  /// how to track, and again after the time that it returns; `nil`: there is nothing to track.
  public func track() async throws(DiskQueueError) -> TimeSpan? {
    guard await isTracking else { return nil }
    let order = await order ?? .standard
    if case .nothing(let span) = pace.due(at: clock.now(), under: order) { return span }
    pace.ask(at: clock.now())
    let fix = await location.currentFix()
    // It may have taken seconds, in which a break or the end has come.
    guard await isTracking else { return nil }
    if let fix {
      try await record(fix)
    } else if pace.needsSignOfLife(at: clock.now(), under: order) {
      try await signOfLife()
    }
    if case .nothing(let span) = pace.due(at: clock.now(), under: order) { return span }
    return .zero
  }
}
