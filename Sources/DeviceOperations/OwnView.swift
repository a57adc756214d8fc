import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// Employees see the same data about themselves as their managers, and may add notes.

package enum NoteOutcome: Hashable, Sendable {
  case added(ShiftNote)
  /// An identical note exists, possibly because the same request was sent before and its answer was
  /// lost.
  case known(ShiftNote)
  case noShift
  case outside
  /// The shift has the maximum number of notes.
  case tooMany
}

package let notesMax = 100

extension DeviceOperations {
  /// Newest first.
  package func ownShifts(limit: Int, for credential: DeviceCredential)
    async throws(OperationError) -> [ShiftRow]
  {
    try await authorize(credential)
    return try await core.read { (session) throws(PostgresError) in
      try ShiftStore.shifts(
        of: credential.device.employee, openOnly: false, limit: Int32(clamping: limit),
        on: &session
      )
    }
  }

  package func ownShift(_ number: Int32, for credential: DeviceCredential)
    async throws(OperationError) -> ShiftDetails
  {
    try await authorize(credential)
    return try await core.shiftDetails(
      of: ShiftID(employee: credential.device.employee, number: number))
  }

  /// When the employee was at sites of the team in a shift that has ended; empty for
  /// another employee's shift.
  package func ownVisits(in shift: ShiftRow, for credential: DeviceCredential)
    async throws(OperationError) -> [SiteVisit]
  {
    try await authorize(credential)
    guard shift.shift.employee == credential.device.employee else { return [] }
    return try await core.siteVisits(of: shift)
  }

  /// Adds a note to a span of the employee's own shift. Any of the employee's devices may do it.
  /// - Parameter text: 1…500 characters, no U+0000.
  package func note(
    _ text: String, from: Instant, to: Instant, on shift: Int32,
    from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> NoteOutcome {
    let id = ShiftID(employee: credential.device.employee, number: shift)
    return try await core.transact { (session) throws(PostgresError) in
      // Several at once take turns: each takes a number.
      guard try hold(id.employee, on: &session),
        try admit(credential, at: receipt.at, on: &session) != nil
      else { return .refused(.unauthorized) }
      guard let record = try ShiftStore.shift(id, on: &session) else {
        return .done(.noShift)
      }
      guard from < to, from >= record.startedAt, to <= record.endedAt ?? receipt.at else {
        return .done(.outside)
      }
      let notes = try notes(on: id, on: &session)
      if let same = notes.first(where: { $0.from == from && $0.to == to && $0.text == text }) {
        return .done(.known(same))
      }
      guard notes.count < notesMax else { return .done(.tooMany) }
      let note = ShiftNote(
        number: (notes.last?.number ?? 0) + 1, from: from, to: to, text: text,
        createdAt: receipt.at)
      try session.execute(insert(note, on: id))
      return .done(.added(note))
    }
  }

  /// Newest first.
  /// - Parameter actions: Only these; empty: all.
  package func ownAudit(
    of actions: [AuditAction] = [], before id: Int64? = nil, limit: Int,
    for credential: DeviceCredential
  ) async throws(OperationError) -> [AuditEntry] {
    try await authorize(credential)
    var filter = AuditFilter(about: credential.device.employee, before: id)
    filter.actions = actions
    return try await core.read { [filter] (session) throws(PostgresError) in
      try auditEntries(filter, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Whether a credential was refused because it is the token of an app from a store, which is
  /// valid at the addresses for such apps only.
  package func isMisplaced(_ credential: DeviceCredential) async throws(OperationError) -> Bool {
    try await core.read { (session) throws(PostgresError) in
      try gather(credential.device, on: &session).map(credential.isMisplaced) ?? false
    }
  }

  package func authorize(_ credential: DeviceCredential) async throws(OperationError) {
    let receivedAt = core.now()
    let isKnown = try await core.read { (session) throws(PostgresError) in
      try admit(credential, at: receivedAt, on: &session) != nil
    }
    guard isKnown else { throw .unauthorized }
  }
}
