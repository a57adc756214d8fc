import Cryptography
import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// Uploads to be stored: each ping is assigned to its shift by the cached facts, and stored if
/// these are still current. Uploads of employees whose facts have changed are tried again.
struct PingRound {
  /// A ping assigned to a shift, with its place among the uploads.
  private struct Placed {
    let row: PingRow
    let upload: Int
    let item: Int
  }

  private let uploads: [DevicePings]
  private var pending: [Int]
  private var workplaces: [EmployeeID: Workplace] = [:]
  private var settings: [TeamID: PolicyRow] = [:]
  /// The results of each upload's pings; an assigned one counts as a duplicate until it is stored.
  private var results: [[PingResult]]
  /// Each upload's pings as their shifts count them; `nil`: none does.
  private var counted: [[Ping?]]
  /// The key ranges of each upload's new pings.
  private var stored: [[PingSpan]]

  init(_ uploads: [DevicePings]) {
    self.uploads = uploads
    pending = Array(uploads.indices)
    results = uploads.map { Array(repeating: .duplicate, count: $0.pings.count) }
    counted = uploads.map { Array(repeating: nil, count: $0.pings.count) }
    stored = uploads.map { _ in [] }
  }

  var isComplete: Bool { pending.isEmpty }

  var outcomes: [PingWriter.Outcome] {
    uploads.indices.map { index in
      let upload = uploads[index]
      guard let workplace = workplace(of: upload), let settings = settings[workplace.team] else {
        return .failure(.unauthorized)
      }
      return .success(
        PingReceipt(
          results: results[index], placed: counted[index], stored: stored[index],
          advice: TrackingAdvice(
            isTracking: workplace.tracks(upload.device.number, at: upload.receivedAt),
            settings: workplace.settings(at: upload.receivedAt)
              ?? TrackingSettings(of: settings.policy, version: settings.version)),
          isOnBreak: workplace.isOnBreak(upload.device.number, at: upload.receivedAt),
          presence: workplace.presences[upload.device.number] ?? RegionPresence(),
          installation: workplace.installations[upload.device.number]))
    }
  }

  /// Gets the facts for pending uploads, reading those that are not cached.
  mutating func learn(from known: KnownWorkplaces, on session: inout Session)
    throws(PostgresError)
  {
    let needed = sinceNeeded
    let remembered = known.recall(needed)
    workplaces.merge(remembered) { $1 }
    let missing = needed.keys.filter { remembered[$0] == nil }.sorted()
    guard let since = missing.compactMap({ needed[$0] }).min() else { return }
    for employee in missing { workplaces[employee] = nil }
    let read = try ShiftStore.workplaces(of: missing, since: since, on: &session)
    workplaces.merge(read) { $1 }
    known.remember(read)
  }

  /// From when on each pending employee's shifts are needed, apart from pings that are too late.
  private var sinceNeeded: [EmployeeID: Instant] {
    var needed: [EmployeeID: Instant] = [:]
    for upload in pending.lazy.map({ uploads[$0] }) {
      let oldest = upload.pings.lazy.map(\.effectiveAt).min() ?? upload.receivedAt
      let since = max(oldest, upload.receivedAt - recordAgeMax) - arrivalJitterMax
      needed[upload.device.employee] = min(needed[upload.device.employee] ?? since, since)
    }
    return needed
  }

  /// Stores the pings of employees whose facts are current, and commits, in one round trip. The
  /// others stay pending, and their facts are removed from the cache.
  mutating func store(knownTo known: KnownWorkplaces, on session: inout Session)
    throws(PostgresError)
  {
    var placed = place()
    // Two sessions that insert the same keys in different order deadlock.
    placed.sort { $0.row.key < $1.row.key }
    let teams = Set(workplaces.values.lazy.map(\.team))
    settings = known.settings(of: teams)
    let became = try commit(
      placed.map(\.row), under: workplaces.mapValues(\.version),
      askingFor: teams.filter { settings[$0] == nil }.sorted { $0.rawValue < $1.rawValue },
      hasEnded: { row in
        let shifts = workplaces[row.device.employee]?.shifts ?? []
        return shifts.contains { $0.number == row.shift && !$0.contains(row.receivedAt) }
      }, on: &session)
    note(placed, new: became.new)
    settings.merge(became.settings) { $1 }
    known.remember(became.settings)
    known.forget(became.movedOn)
    pending.removeAll { !became.movedOn.contains(uploads[$0].device.employee) }
  }

  private mutating func note(_ placed: [Placed], new: Set<PingKey>?) {
    var new = new
    // The same ping may occur twice; one of the two is new.
    for ping in placed where new == nil || new?.remove(ping.row.key) != nil {
      results[ping.upload][ping.item] = .stored
      stored[ping.upload].note(ping.row)
    }
  }

  /// Finds the shift of each ping that is not stored yet; refuses those without one.
  private mutating func place() -> [Placed] {
    var placed: [Placed] = []
    placed.reserveCapacity(pending.count)
    for index in pending {
      let upload = uploads[index]
      guard let workplace = workplace(of: upload) else { continue }
      for (item, ping) in upload.pings.enumerated() where results[index][item] != .stored {
        switch GuardRules.place(
          effectiveAt: ping.effectiveAt, device: upload.device.number, among: workplace.shifts,
          now: upload.receivedAt)
        {
        case .refused(let refusal):
          (results[index][item], counted[index][item]) = (.refused(refusal), nil)
        case .shift(let number):
          results[index][item] = .duplicate
          let shift = workplace.shifts.first { $0.number == number }
          let row = PingRow(
            ping: shift.map { ping.placed(in: $0) } ?? ping, device: upload.device, shift: number,
            receivedAt: upload.receivedAt)
          counted[index][item] = row.ping
          placed.append(Placed(row: row, upload: index, item: item))
        }
      }
    }
    return placed
  }

  /// The facts for the upload's device; `nil` if it is unknown or revoked, or may not send this.
  private func workplace(of upload: DevicePings) -> Workplace? {
    guard let workplace = workplaces[upload.device.employee],
      let hash = workplace.tokenHashes[upload.device.number],
      constantTimeEqual(hash, upload.tokenHash),
      workplace.storeApps[upload.device.number].map({ $0 == upload.storeApp }) ?? true
    else { return nil }
    return workplace
  }
}

extension Workplace {
  fileprivate func settings(at now: Instant) -> TrackingSettings? {
    shifts.first { $0.isTracked(at: now) }?.settings(at: now)
  }

  fileprivate func tracks(_ device: Int16, at now: Instant) -> Bool {
    shifts.contains { $0.belongs(to: device, at: now) && !$0.breaks.contains(now) }
  }

  fileprivate func isOnBreak(_ device: Int16, at now: Instant) -> Bool {
    shifts.contains { $0.belongs(to: device, at: now) && $0.breaks.contains(now) }
  }
}

extension TrackedShift {
  fileprivate func belongs(to device: Int16, at now: Instant) -> Bool {
    contains(now) && self.device(at: now) == device
  }
}

extension [PingSpan] {
  /// Adds a ping of the upload's device to the span of its shift.
  fileprivate mutating func note(_ row: PingRow) {
    if let index = firstIndex(where: { $0.shift.number == row.shift }) {
      self[index].recorded = self[index].recorded.union(row.keys)
    } else {
      append(
        PingSpan(
          shift: ShiftID(employee: row.device.employee, number: row.shift),
          device: row.device.number, recorded: row.keys))
    }
  }
}
