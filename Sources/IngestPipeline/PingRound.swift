import Cryptography
import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// An employee of the uploads of a round.
struct EmployeeOfRound: Sendable {
  let id: EmployeeID
  /// Their uploads, as positions in the round's order.
  let uploads: Range<Int>
  /// From when on their shifts are needed, apart from pings that are too late.
  let since: Instant
  /// `nil` until it is known, and for an employee who does not exist.
  var workplace: Workplace?
  /// Whether their uploads are still to be stored.
  var isPending = true
}

/// Uploads to be stored: each ping is assigned to its shift by the cached facts, and stored if
/// these are still current. Uploads of employees whose facts have changed are tried again.
struct PingRound {
  /// What is known of an upload so far.
  fileprivate struct Upload {
    let sent: DevicePings
    /// Whether its device is known and not revoked, and may send this.
    var isAuthorized = false
    /// Of each ping; one that has a shift counts as a duplicate until it is stored.
    var results: [PingResult] = []
    /// Each ping as its shift counts it, which is mostly as it was sent; says nothing of those that
    /// are refused.
    var placed: [Ping]
    /// The key ranges of the new pings.
    var stored: [PingSpan] = []

    init(_ sent: DevicePings) {
      self.sent = sent
      placed = sent.pings
    }
  }

  /// The pings that have a shift, sorted by key.
  fileprivate struct PlacedPings {
    var rows: [PingRow] = []
    /// Where each is among the uploads.
    var origins: [(upload: Int, item: Int)] = []
    /// Shifts that have ended before the receipt of one of their pings.
    var ended: Set<ShiftID> = []
  }

  private var uploads: [Upload]
  /// The uploads' numbers, by employee.
  private let order: [Int]
  /// In order.
  private var employees: [EmployeeOfRound] = []
  private var settings: [PolicyRow] = []

  init(_ sent: [DevicePings]) {
    uploads = sent.map { Upload($0) }
    order = sent.indices.sorted { one, other in
      let (left, right) = (sent[one].device.employee, sent[other].device.employee)
      return left == right ? one < other : left < right
    }
    employees.reserveCapacity(sent.count)
    var first = 0
    while first < order.count {
      let id = sent[order[first]].device.employee
      let end = order[first...].firstIndex { sent[$0].device.employee != id } ?? order.count
      let since = order[first..<end].lazy.map { sent[$0].since }.min()
      employees.append(
        EmployeeOfRound(id: id, uploads: first..<end, since: since ?? sent[order[first]].since))
      first = end
    }
  }

  var isComplete: Bool { employees.allSatisfy { !$0.isPending } }

  var outcomes: [PingWriter.Outcome] {
    var outcomes = [PingWriter.Outcome](repeating: .failure(.unauthorized), count: uploads.count)
    var own: PolicyRow?
    for employee in employees {
      guard let workplace = employee.workplace else { continue }
      if own?.team != workplace.team { own = settings.first { $0.team == workplace.team } }
      guard let own else { continue }
      for index in order[employee.uploads] where uploads[index].isAuthorized {
        outcomes[index] = .success(uploads[index].receipt(from: workplace, own))
      }
    }
    return outcomes
  }

  /// Gets the facts for pending uploads, reading those that are not cached.
  mutating func learn(from known: KnownWorkplaces, on session: inout Session)
    throws(PostgresError)
  {
    known.recall(for: &employees)
    let missing = employees.indices.filter {
      employees[$0].isPending && employees[$0].workplace == nil
    }
    guard let since = missing.map({ employees[$0].since }).min() else { return }
    let read = try workplaces(of: missing.map { employees[$0].id }, since: since, on: &session)
    for index in missing { employees[index].workplace = read[employees[index].id] }
    known.remember(read)
  }

  /// Stores the pings of employees whose facts are current, and commits, in one round trip. The
  /// others stay pending, and their facts are removed from the cache.
  mutating func store(knownTo known: KnownWorkplaces, on session: inout Session)
    throws(PostgresError)
  {
    let placed = place()
    var versions: [EmployeeVersion] = []
    var teams: [TeamID] = []
    for employee in employees {
      guard let workplace = employee.workplace else { continue }
      if employee.isPending { versions.append(EmployeeVersion(employee.id, workplace.version)) }
      if teams.last != workplace.team, !teams.contains(workplace.team) {
        teams.append(workplace.team)
      }
    }
    settings = known.settings(of: teams)
    let became = try commit(
      placed.rows, under: versions,
      askingFor: teams.filter { team in !settings.contains { $0.team == team } }.sorted {
        $0.rawValue < $1.rawValue
      },
      hasEnded: { placed.ended.contains($0.shiftID) }, on: &session)
    note(placed, new: became.new)
    settings += became.settings
    known.remember(became.settings)
    known.forget(became.movedOn)
    for index in employees.indices where employees[index].isPending {
      employees[index].isPending = became.movedOn.contains(employees[index].id)
    }
  }

  /// Finds the shift of each ping that is not stored yet; refuses those without one.
  private mutating func place() -> PlacedPings {
    var placed = PlacedPings()
    placed.rows.reserveCapacity(order.count)
    placed.origins.reserveCapacity(order.count)
    for employee in employees where employee.isPending {
      for index in order[employee.uploads] {
        guard let workplace = employee.workplace,
          let device = workplace.device(uploads[index].sent.device.number),
          device.admits(uploads[index].sent)
        else {
          uploads[index].isAuthorized = false
          continue
        }
        uploads[index].authorize()
        for item in uploads[index].sent.pings.indices {
          guard let row = uploads[index].place(item, in: workplace, &placed.ended) else { continue }
          placed.rows.append(row)
          placed.origins.append((index, item))
        }
      }
    }
    placed.sort()
    return placed
  }

  /// - Parameter new: The keys of the new ones, in order; `nil`: all are new.
  private mutating func note(_ placed: PlacedPings, new: [PingKey]?) {
    var next = 0
    for (row, origin) in zip(placed.rows, placed.origins) {
      if let new {
        let key = row.key
        while next < new.count, new[next] < key { next += 1 }
        // The same ping may occur twice; one of the two is new.
        guard next < new.count, new[next] == key else { continue }
        next += 1
      }
      uploads[origin.upload].note(row, of: origin.item)
    }
  }
}

extension PingRound.PlacedPings {
  /// Two sessions that insert the same keys in different order deadlock. Most rounds are sorted
  /// already, as each employee sends one ping.
  fileprivate mutating func sort() {
    guard !zip(rows, rows.dropFirst()).allSatisfy({ $0.key < $1.key }) else { return }
    let order = rows.indices.sorted { one, other in
      let (left, right) = (rows[one].key, rows[other].key)
      return left == right ? one < other : left < right
    }
    (rows, origins) = (order.map { rows[$0] }, order.map { origins[$0] })
  }
}

extension PingRound.Upload {
  fileprivate mutating func authorize() {
    isAuthorized = true
    guard results.count < sent.pings.count else { return }
    results = PingResult.duplicate.times(sent.pings.count)
  }

  /// The ping as a row of its shift; `nil` if it has none or is stored already.
  fileprivate mutating func place(
    _ item: Int, in workplace: Workplace, _ ended: inout Set<ShiftID>
  ) -> PingRow? {
    if results[item] == .stored { return nil }
    let ping = sent.pings[item]
    switch GuardRules.place(
      effectiveAt: ping.effectiveAt, device: sent.device.number, among: workplace.shifts,
      now: sent.receivedAt)
    {
    case .refused(let refusal):
      set(.refused(refusal), of: item)
      return nil
    case .shift(let number):
      let shift = workplace.shifts.first { $0.number == number }
      let row = PingRow(
        ping: shift.map { ping.placed(in: $0) } ?? ping, device: sent.device, shift: number,
        receivedAt: sent.receivedAt)
      if let shift, !shift.contains(sent.receivedAt) { ended.insert(row.shiftID) }
      set(.duplicate, of: item)
      if placed[item] != row.ping { placed[item] = row.ping }
      return row
    }
  }

  fileprivate mutating func note(_ row: PingRow, of item: Int) {
    set(.stored, of: item)
    stored.note(row)
  }

  private mutating func set(_ result: PingResult, of item: Int) {
    if results.count == 1 { results = result.times(1) } else { results[item] = result }
  }

  fileprivate func receipt(from workplace: Workplace, _ own: PolicyRow) -> PingReceipt {
    let (number, at) = (sent.device.number, sent.receivedAt)
    let device = workplace.device(number)
    return PingReceipt(
      results: results, placed: placed, stored: stored,
      advice: TrackingAdvice(
        isTracking: workplace.tracks(number, at: at),
        settings: workplace.settings(at: at)
          ?? TrackingSettings(of: own.policy, version: own.version)),
      isOnBreak: workplace.isOnBreak(number, at: at),
      presence: device?.presence ?? RegionPresence(), installation: device?.installation)
  }
}

extension PingResult {
  private static let storedAlone: [PingResult] = [.stored]
  private static let duplicateAlone: [PingResult] = [.duplicate]

  /// For the most frequent results of a single ping, without memory of its own.
  fileprivate func times(_ count: Int) -> [PingResult] {
    switch self {
    case .stored where count == 1: Self.storedAlone
    case .duplicate where count == 1: Self.duplicateAlone
    default: Array(repeating: self, count: count)
    }
  }
}

extension DevicePings {
  /// From when on their employee's shifts are needed.
  fileprivate var since: Instant {
    let oldest = pings.lazy.map(\.effectiveAt).min() ?? receivedAt
    return max(oldest, receivedAt - recordAgeMax) - arrivalJitterMax
  }
}

extension WorkplaceDevice {
  fileprivate func admits(_ upload: DevicePings) -> Bool {
    constantTimeEqual(tokenHash, upload.tokenHash)
      && (storeApp == nil || storeApp == upload.storeApp)
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
        PingSpan(shift: row.shiftID, device: row.device.number, recorded: row.keys))
    }
  }
}
