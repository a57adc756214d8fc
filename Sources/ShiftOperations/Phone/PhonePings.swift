import GuardRules
import Postgres
public import ShiftDomain
import ShiftStore

/// What became of an upload of pings.
public struct PingOutcome: Hashable, Sendable {
  /// One result a ping, in the order sent.
  public var results: [PingResult]
  /// The present.
  public var snapshot: Snapshot
}

/// How long pings are kept.
let pingRetention = TimeSpan.hours(60 * 24)

extension Operations {
  /// Stores one request's pings in one statement. Location is kept only within a shift; what lies
  /// outside is refused, not stored.
  /// - Parameter pings: 1…1,000 of them.
  /// - Throws: `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func ping(
    _ pings: [IncomingPing], sentAt: Instant?, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> PingOutcome {
    let dated = pings.map { $0.dated(sentAt: sentAt, receivedAt: receipt.at) }
    return try await transact { (session) throws(PostgresError) in
      guard let gathered = try gather(credential, on: &session) else {
        return .refused(.unauthorized)
      }
      var filing = PingFiling(dated, of: credential.device, receivedAt: receipt.at)
      // A ping that the statement does not return was there already, unless its shift changed
      // meanwhile: so what is left is placed once more by what is true now.
      for _ in 0..<2 where !filing.isComplete {
        let shifts = try filing.shifts(under: gathered.employee.policy, on: &session)
        filing.place(among: shifts)
        try filing.store(on: &session)
      }
      filing.settle()
      try session.execute(
        notePulse(of: credential.device, receivedAt: receipt.at, fixAt: filing.lastFixAt))
      var snapshot = Snapshot(gathered.employee, gathered.device, now: receipt.at)
      snapshot.clock = PhoneClock(
        recorded: pings.map(\.recordedAt), sentAt: sentAt, receivedAt: receipt.at)
      return .done(PingOutcome(results: filing.results, snapshot: snapshot))
    }
  }
}

/// The pings of one request on their way to the table.
private struct PingFiling {
  private let pings: [Ping]
  private let device: DeviceID
  private let receivedAt: Instant
  /// `nil`: not known yet.
  private var answers: [PingResult?]
  private var placed: [Int: PlacedPing] = [:]

  init(_ pings: [Ping], of device: DeviceID, receivedAt: Instant) {
    self.pings = pings
    self.device = device
    self.receivedAt = receivedAt
    answers = Array(repeating: nil, count: pings.count)
  }

  var isComplete: Bool { !answers.contains(nil) }

  var results: [PingResult] { answers.map { $0 ?? .duplicate } }

  /// The newest fix, stored or refused: its time is a sign of life, its place is not kept.
  var lastFixAt: Instant? {
    pings.filter { $0.fix != nil }.map { min($0.effectiveAt, receivedAt) }.max()
  }

  /// The shifts around the pings, held: one that ended between here and COMMIT would leave what is
  /// stored outside of it. Too old a ping finds none and is refused whatever there was. An open
  /// shift reaches to its limit, whether or not somebody noticed yet that it has ended there.
  func shifts(under policy: Policy, on session: inout Session)
    throws(PostgresError) -> [TrackedShift]
  {
    let times = pings.map(\.effectiveAt)
    guard let first = times.min(), let last = times.max() else { return [] }
    var shifts = try trackedShifts(
      of: device.employee, from: max(first, receivedAt - pingAgeMax),
      to: last + arrivalJitterMax, held: true, on: &session)
    for index in shifts.indices {
      shifts[index].end = shifts[index].end ?? shifts[index].start + policy.shiftMax
    }
    return shifts
  }

  mutating func place(among shifts: [TrackedShift]) {
    placed = [:]
    for (index, ping) in pings.enumerated() where answers[index] == nil {
      switch GuardRules.place(
        effectiveAt: ping.effectiveAt, device: device.number, among: shifts,
        retention: pingRetention, now: receivedAt)
      {
      case .refused(let refusal): answers[index] = .refused(refusal)
      case .shift(let number):
        let start = shifts.first { $0.number == number }?.start
        var placedPing = ping
        placedPing.effectiveAt = max(ping.effectiveAt, start ?? ping.effectiveAt)
        placed[index] = PlacedPing(ping: placedPing, shift: number)
      }
    }
  }

  mutating func store(on session: inout Session) throws(PostgresError) {
    guard !placed.isEmpty else { return }
    var stored = try ShiftStore.store(
      placed.sorted { $0.key < $1.key }.map(\.value), of: device, receivedAt: receivedAt,
      on: &session)
    for index in placed.keys.sorted() where stored.remove(pings[index].recordedAt) != nil {
      answers[index] = .stored
    }
  }

  /// Placed twice and returned by neither statement: it was there before.
  mutating func settle() {
    for index in placed.keys where answers[index] == nil { answers[index] = .duplicate }
  }
}

extension IncomingPing {
  /// The ping by the server's clock.
  fileprivate func dated(sentAt: Instant?, receivedAt: Instant) -> Ping {
    let time = effectiveTime(recordedAt: recordedAt, sentAt: sentAt, receivedAt: receivedAt)
    return Ping(
      recordedAt: recordedAt, effectiveAt: time.instant, fix: fix, isStationary: isStationary,
      batteryPercent: batteryPercent)
  }
}
