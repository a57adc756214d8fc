import Cryptography
import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

/// Uploads on their way through one transaction: hold the shifts, learn who they are, store.
struct PingRound {
  /// A ping that belongs to a shift, and where it stands among the uploads.
  private struct Placed {
    let row: PingRow
    let upload: Int
    let item: Int
  }

  private let uploads: [DevicePings]
  private var versions: [EmployeeID: Int64] = [:]
  private var workplaces: [EmployeeID: Workplace] = [:]
  /// What became of each upload's pings; a placed one counts as a duplicate until it is stored.
  private var results: [[PingResult]]
  /// Which of each upload's pings were new.
  private var stored: [[PingSpan]]

  init(_ uploads: [DevicePings]) {
    self.uploads = uploads
    results = uploads.map { Array(repeating: .duplicate, count: $0.pings.count) }
    stored = uploads.map { _ in [] }
  }

  /// One outcome an upload, in order.
  var outcomes: [PingWriter.Outcome] {
    zip(uploads, zip(results, stored)).map { upload, became in
      let (results, spans) = became
      guard let workplace = workplace(of: upload) else { return .failure(.unauthorized) }
      return .success(
        PingReceipt(
          results: results, stored: spans,
          isTracking: workplace.tracks(upload.device.number, at: upload.receivedAt),
          policy: workplace.policy, policyVersion: workplace.policyVersion))
    }
  }

  /// Keeps the shifts as they are and asks which versions that is.
  mutating func hold(on session: inout Session) throws(PostgresError) {
    let employees = Set(uploads.map(\.device.employee)).sorted()
    var found: [EmployeeID: Int64] = [:]
    try session.pipeline([holdShifts(of: employees), selectVersions(of: employees)]) {
      (position, rows) throws(PostgresError) in
      if position == 1 { found = try rows.versions() }
    }
    versions = found
  }

  /// Finds the workplaces, reading those that have changed or are new.
  mutating func learn(from known: KnownWorkplaces, on session: inout Session)
    throws(PostgresError)
  {
    let needed = sinceNeeded
    workplaces = known.current(versions, since: needed)
    let missing = versions.keys.filter { workplaces[$0] == nil }.sorted()
    guard let since = missing.compactMap({ needed[$0] }).min() else { return }
    let read = try ShiftStore.workplaces(of: missing, since: since, on: &session)
    workplaces.merge(read) { $1 }
    known.remember(read)
  }

  /// From when on each employee's shifts are to be known: from the oldest ping on, but for those
  /// that are too late anyway.
  private var sinceNeeded: [EmployeeID: Instant] {
    var needed: [EmployeeID: Instant] = [:]
    for upload in uploads {
      let oldest = upload.pings.map(\.effectiveAt).min() ?? upload.receivedAt
      let since = max(oldest, upload.receivedAt - pingAgeMax) - arrivalJitterMax
      needed[upload.device.employee] = min(needed[upload.device.employee] ?? since, since)
    }
    return needed
  }

  /// Stores every ping that belongs to a shift, and commits.
  mutating func store(on session: inout Session) throws(PostgresError) {
    var placed = place()
    guard !placed.isEmpty else { return }
    // Two sessions that insert the same keys in different order deadlock.
    placed.sort { $0.row.key < $1.row.key }
    var new = try commit(
      placed.map(\.row),
      hasEnded: { row in
        let shifts = workplaces[row.device.employee]?.shifts ?? []
        return shifts.contains { $0.number == row.shift && !$0.contains(row.receivedAt) }
      }, on: &session)
    // The same ping may be there twice; one of the two is new.
    for ping in placed where new == nil || new?.remove(ping.row.key) != nil {
      results[ping.upload][ping.item] = .stored
      stored[ping.upload].note(ping.row)
    }
  }

  /// Finds each ping's shift; refuses those that have none.
  private mutating func place() -> [Placed] {
    var placed: [Placed] = []
    for (index, upload) in uploads.enumerated() {
      guard let workplace = workplace(of: upload) else { continue }
      for (item, ping) in upload.pings.enumerated() {
        switch GuardRules.place(
          effectiveAt: ping.effectiveAt, device: upload.device.number, among: workplace.shifts,
          retention: pingRetention, now: upload.receivedAt)
        {
        case .refused(let refusal): results[index][item] = .refused(refusal)
        case .shift(let number):
          var ping = ping
          let start = workplace.shifts.first { $0.number == number }?.start
          ping.effectiveAt = max(ping.effectiveAt, start ?? ping.effectiveAt)
          let row = PingRow(
            ping: ping, device: upload.device, shift: number, receivedAt: upload.receivedAt)
          placed.append(Placed(row: row, upload: index, item: item))
        }
      }
    }
    return placed
  }

  /// Where the upload's device belongs; `nil` when it may not speak.
  private func workplace(of upload: DevicePings) -> Workplace? {
    guard let workplace = workplaces[upload.device.employee],
      let hash = workplace.tokenHashes[upload.device.number],
      constantTimeEqual(hash, upload.tokenHash)
    else { return nil }
    return workplace
  }
}

extension Workplace {
  /// Whether the device is to send its positions at `now`.
  fileprivate func tracks(_ device: Int16, at now: Instant) -> Bool {
    shifts.contains { shift in
      shift.contains(now) && shift.device(at: now) == device && !shift.breaks.contains(now)
    }
  }
}

extension [PingSpan] {
  /// Adds a ping of the upload's device to the span of its shift.
  fileprivate mutating func note(_ row: PingRow) {
    let at = row.ping.recordedAt
    if let index = firstIndex(where: { $0.shift.number == row.shift }) {
      let known = self[index].recorded
      self[index].recorded = Swift.min(known.lowerBound, at)...Swift.max(known.upperBound, at)
    } else {
      append(
        PingSpan(
          shift: ShiftID(employee: row.device.employee, number: row.shift),
          device: row.device.number, recorded: at...at))
    }
  }
}
