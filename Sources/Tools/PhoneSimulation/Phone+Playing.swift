import GuardClient
import ShiftDomain

extension Phone {
  /// The number of pings that an app sends at once.
  static let batchSize = 100
  /// The maximum age of an offline clock-in; the server accepts 24 h.
  static let backlogMax = TimeSpan.hours(24) - .minutes(5)

  /// Plays a recording or a part of it.
  mutating func play(_ play: Play, _ outcome: inout Outcome) async throws {
    guard let recording = recordings[play.file] else {
      throw CannotAct(reason: "`\(play.file)` was not loaded")
    }
    guard let part = recording.part(from: play.from, points: play.points) else {
      throw CannotAct(reason: "`\(play.file)` has no points from that time on")
    }
    switch play.manner {
    case .live: try await live(part, &outcome)
    case .backlog(let lead): try await backlog(part, lead: lead, &outcome)
    }
  }

  /// Sends one fix at a time, each at its time.
  private mutating func live(_ recording: Recording, _ outcome: inout Outcome) async throws {
    let moved = recording.beginning(at: client.timing.now())
    for (index, point) in moved.points.enumerated() {
      let rest = point.time - client.timing.now()
      if rest > .zero { await client.timing.wait(rest) }
      if Task.isCancelled { throw CannotAct(reason: "cancelled") }
      onActivity(Activity(phone: name, text: "point \(index + 1) of \(moved.points.count)"))
      try update { $0.position = point.position }
      try await send(.pings([RecordedPing(point)]), &outcome)
    }
  }

  /// Sends a whole shift of a phone that was offline, in the order of its queue: the pings follow
  /// the response to the clock-in, and none is sent if the clock-in was refused.
  private mutating func backlog(
    _ recording: Recording, lead: TimeSpan, _ outcome: inout Outcome
  ) async throws {
    // A little in the past, so that the clock-out a second after the last point is not in future.
    let moved = recording.ending(at: client.timing.now() - .seconds(2))
    let start = moved.start - lead
    guard client.timing.now() - start < Self.backlogMax else {
      throw CannotAct(reason: "longer than 24 h: an offline clock-in may not be older")
    }
    try await clockAction(.clockIn, at: start, report: try newReport(at: start), &outcome)
    guard let status = outcome.status, (200...299).contains(status) else { return }
    var sent = 0
    while sent < moved.points.count {
      let batch = moved.points[sent...].prefix(Self.batchSize)
      try await send(.pings(batch.map(RecordedPing.init)), &outcome)
      sent += batch.count
      onActivity(Activity(phone: name, text: "\(sent) of \(moved.points.count) points"))
    }
    try update { $0.position = moved.points.last?.position }
    let said = outcome.words
    try await clockAction(.clockOut, at: moved.end + .seconds(1), &outcome)
    // Keep the decision of the clock-in; at the clock-out, the report has become old.
    outcome.words.merge(said) { _, first in first }
  }
}

extension RecordedPing {
  /// A recording's point as a fix.
  fileprivate init(_ point: Recording.Point) {
    self.init(recordedAt: point.time, fix: point.position.fix(altitude: point.altitude))
  }
}
