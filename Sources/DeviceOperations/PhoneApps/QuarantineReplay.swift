import GuardRules
import Guidance
import OperationCore
import PhoneProtocols
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// After an upgrade, what an earlier version could not read may be understood. It is stored as what
// it is: something that was received then. So it changes the record of ended shifts, and nothing of
// the present: no device counts as heard of, nobody is notified, and nobody is clocked in or out by
// the crossing of a region.

/// The quarantined messages of a device as they read today. A device has up to 100 of them, which
/// may be junk: reading them takes a while, and nothing is locked meanwhile.
package struct RereadQuarantine: Sendable {
  private let device: DeviceID
  private let messages: [RereadMessage]

  package init(_ contents: [QuarantinedContents], of device: DeviceRow) {
    self.device = device.device
    messages = contents.compactMap {
      RereadMessage($0, from: device.device, on: DeviceDescription(device))
    }
  }

  /// Stores what is understood of the messages that are still there. What is wholly understood
  /// leaves the quarantine in the same transaction; what is not stays, even if a part of it is
  /// stored, as storing it again stores nothing twice.
  ///
  /// A revoked device is no exception: its token was valid when it sent them.
  /// - Returns: `nil`: the device is erased.
  package func store(at now: Instant, _ core: OperationCore, on session: inout Session)
    throws(PostgresError) -> QuarantineReplay?
  {
    // Until the end of the transaction nobody changes the employee's shifts, or replays the same.
    guard try bumpVersion(of: device.employee, on: &session),
      let employee = try gather(device.employee, on: &session)
    else { return nil }
    let since = messages.flatMap(\.times).min() ?? now
    let workplaces = try ShiftStore.workplaces(
      of: [device.employee], since: since - arrivalJitterMax, on: &session)
    guard let workplace = workplaces[device.employee] else { return nil }
    let kept = try retention(on: &session).cutoff(of: .fixes, now: now) + sealingLead
    let present = try quarantinedHashes(of: device, on: &session)
    let messages = messages.filter { present.withBody.contains($0.hash) }
    let open = employee.state.shift?.number
    let due = messages.filter { !$0.reports(about: open, among: workplace.shifts) }

    var replay = QuarantineReplay()
    replay.withoutContents = present.withoutBody
    replay.waiting = messages.count - due.count
    let pings = due.flatMap { $0.rows(among: workplace.shifts, from: kept) }
      .sorted { $0.key < $1.key }
    for start in stride(from: 0, to: pings.count, by: pingsMax) {
      replay.stored += try insertLate(
        Array(pings[start...].prefix(pingsMax)), of: device.employee, at: workplace.version,
        on: &session)
    }
    let reports = try news(due.flatMap(\.reports), of: device, on: &session)
    // History off shift is not kept.
    let rows = reports.compactMap { report in
      report.shift(among: workplace.shifts).map { report.row(shift: $0) }
    }
    if !rows.isEmpty {
      replay.stored += try session.execute(insertIfMissing(rows))
      _ = try core.recount(
        Set(rows.compactMap(\.shift)), of: device.employee, at: now, on: &session)
    }
    try session.pipeline(due.map(\.ending))
    replay.unreadable = due.count { $0.reason != nil }
    replay.read = due.count - replay.unreadable
    return replay
  }
}

/// How many pings one statement stores.
private let pingsMax = 1_000

/// Those of `reports` that are not stored yet, each once.
private func news(
  _ reports: [TimedReport], of device: DeviceID, on session: inout Session
) throws(PostgresError) -> [TimedReport] {
  let times = reports.flatMap(\.timesOfCopies)
  guard let first = times.min(), let last = times.max() else { return [] }
  var stored = try ShiftStore.reports(of: device, effective: first...last, on: &session)
    .map(\.report)
  return reports.filter { timedReport in
    let report = timedReport.report
    let isStored =
      timedReport.original(in: stored, newest: nil) != nil
      || stored.contains {
        $0.state == report.state && $0.effectiveAt == report.effectiveAt
          && $0.appExit == report.appExit
      }
    if !isStored { stored.append(report) }
    return !isStored
  }
}

/// A quarantined message as it reads today, with the times of its receipt.
private struct RereadMessage: Sendable {
  private let device: DeviceID
  private let contents: QuarantinedContents
  private let pings: [Ping]
  let reports: [TimedReport]
  /// Why some of it is not understood; `nil`: all is.
  let reason: String?

  /// `nil` if its contents were not kept.
  init?(_ contents: QuarantinedContents, from device: DeviceID, on phone: DeviceDescription) {
    guard let body = contents.body else { return nil }
    let (app, receivedAt) = (contents.message.app, contents.message.receivedAt)
    let reading = app.language.read(quarantined: Array(body.utf8), receivedAt: receivedAt)
    self.device = device
    self.contents = contents
    pings = reading.incomingPings.map { $0.dated(sentAt: nil, receivedAt: receivedAt) }
    reports = reading.incomingReports(from: app).map {
      TimedReport($0, of: device, sentAt: nil, receivedAt: receivedAt).read(on: phone)
    }
    reason = reading.quarantined.first?.reason.description
  }

  var hash: [UInt8] { contents.hash }

  /// The times at which there may be a shift.
  var times: [Instant] {
    let oldest = contents.message.receivedAt - recordAgeMax
    return pings.map { max($0.effectiveAt, oldest) } + reports.map(\.report.effectiveAt)
  }

  /// Whether it reports about the shift `open`. What reports of the past say about the present is
  /// decided when they arrive, and the record of an open shift must not contradict that.
  func reports(about open: Int32?, among shifts: [TrackedShift]) -> Bool {
    guard let open else { return false }
    return reports.contains { $0.shift(among: shifts) == open }
  }

  /// Its pings that count for a shift, judged as at their receipt.
  /// - Parameter start: The positions of shifts that began before may be deleted already.
  func rows(among shifts: [TrackedShift], from start: Instant) -> [PingRow] {
    let receivedAt = contents.message.receivedAt
    return pings.compactMap { ping in
      guard
        case .shift(let number) = place(
          effectiveAt: ping.effectiveAt, device: device.number, among: shifts, now: receivedAt),
        let shift = shifts.first(where: { $0.number == number }), shift.start >= start
      else { return nil }
      return PingRow(
        ping: ping.placed(in: shift), device: device, shift: number, receivedAt: receivedAt)
    }
  }

  /// Takes it out of the quarantine, or stores why it stays.
  var ending: SQL {
    reason.map { setReason($0, ofQuarantined: contents.hash, of: device) }
      ?? deleteQuarantined(contents.hash, of: device)
  }
}

extension TimedReport {
  /// The number of the shift at its time.
  fileprivate func shift(among shifts: [TrackedShift]) -> Int32? {
    shifts.first { $0.isTracked(at: report.effectiveAt) }?.number
  }
}
