import DeviceOperations
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct QuarantinePage: Hashable, Sendable {
  /// Newest first.
  package var rows: [QuarantinedRow]
  /// Where the next page begins; `nil` on the last page.
  package var next: QuarantinePlace?
}

extension InstallationOperations {
  /// - Parameter limit: From 1.
  /// - Throws: `.notFound` for an unknown employee.
  package func quarantinePage(_ filter: QuarantineFilter, limit: Int)
    async throws(OperationError) -> QuarantinePage
  {
    let found = try await core.list(of: filter.employee) { (session) throws(PostgresError) in
      try quarantinedMessages(filter, limit: Int32(clamping: limit + 1), on: &session)
    }
    let rows = Array(found.prefix(limit))
    return QuarantinePage(rows: rows, next: found.count > limit ? rows.last?.place : nil)
  }

  /// The newest messages by app and reason, the most frequent first.
  package func quarantineCounts() async throws(OperationError) -> [QuarantineCount] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.quarantineCounts(on: &session)
    }
  }

  /// Reads the quarantined messages of `employee`, or of all employees, again by this version:
  /// phone by phone, each in a transaction.
  /// - Parameters:
  ///   - after: The `next` of the answer before; `nil`: from the first phone on.
  ///   - span: No phone is begun after this time.
  /// - Throws: `.notFound` for an unknown employee. After any other error, what was done until then
  ///   is done.
  package func replayQuarantine(
    of employee: EmployeeID?, after: DeviceID? = nil, within span: Duration = .seconds(5),
    by principal: Principal
  ) async throws(OperationError) -> QuarantineReplay {
    try principal.actor.check(reason: nil)
    let end = ContinuousClock.now + span
    var replay = QuarantineReplay()
    var last = after
    while true {
      let devices = try await core.list(of: employee) { [last] (session) throws(PostgresError) in
        try devicesInQuarantine(of: employee, after: last, limit: devicesMax, on: &session)
      }
      for device in devices {
        // One at least, so that the next call gets further.
        if last != after, ContinuousClock.now >= end {
          replay.next = last
          return replay
        }
        replay += try await replayQuarantine(of: device, by: principal)
        last = device
      }
      if devices.count < devicesMax { return replay }
    }
  }

  private func replayQuarantine(of device: DeviceID, by principal: Principal)
    async throws(OperationError) -> QuarantineReplay
  {
    let at = core.now()
    let found = try await core.readSnapshot { (session) throws(PostgresError) in
      (
        try deviceRecords(of: [device], on: &session).first,
        try quarantinedContents(of: device, on: &session)
      )
    }
    guard let row = found.0 else { return QuarantineReplay() }
    let quarantine = RereadQuarantine(found.1, of: row)
    return try await core.transact(within: .seconds(30)) { (session) throws(PostgresError) in
      guard let replay = try quarantine.store(at: at, core, on: &session) else {
        return .done(QuarantineReplay())
      }
      if replay.read + replay.stored > 0 {
        try audit(
          .quarantineReplayed, by: principal, at: at, about: device.employee,
          target: Int32(device.number),
          reason: "messages read: \(replay.read), records stored: \(replay.stored)", on: &session)
      }
      return .done(replay)
    }
  }
}

/// How many phones are looked up at once.
private let devicesMax: Int32 = 100
