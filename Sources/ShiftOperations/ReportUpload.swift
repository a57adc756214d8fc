import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

/// The reports of one request, those told apart that are held already.
struct ReportUpload {
  private let filings: [ReportFiling]
  /// By place, the id under which a report is held that came before, perhaps in this very upload.
  private var held: [Int: ReportID] = [:]
  /// The place of the one that decides the present.
  private let deciding: Int?

  /// A sequence used before, so long as its report is held, is the same report again.
  init(_ filings: [ReportFiling], on session: inout Session) throws(PostgresError) {
    self.filings = filings
    let sequences = filings.compactMap(\.report.sequence)
    var known: [Int64: ReportID] = [:]
    if let device = filings.first?.device, !sequences.isEmpty {
      known = try reportIDs(of: device, sequences: sequences, on: &session)
    }
    for (place, filing) in filings.enumerated() {
      guard let sequence = filing.report.sequence else { continue }
      if let id = known[sequence] { held[place] = id } else { known[sequence] = filing.report.id }
    }
    let fresh = filings.indices.filter { [held] in held[$0] == nil }
    // Of two equally new ones the one that was sent last.
    let newest = GuardRules.newest(of: fresh.reversed().map { filings[$0].report })
    deciding = fresh.first { filings[$0].report.id == newest?.id }
  }

  /// The report that decides the present; `nil` when nothing is new.
  var present: ReportFiling? { deciding.map { filings[$0] } }

  /// What is new besides.
  var history: [ReportFiling] {
    filings.indices.filter { held[$0] == nil && $0 != deciding }.map { filings[$0] }
  }

  /// What follows from the present. The others are late by then: they may explain a silence, and
  /// alarm nobody.
  func step(_ present: ReportFiling, _ employee: EmployeeRecord) -> GuardStep {
    let (device, now) = (present.device.number, present.receivedAt)
    var step = GuardRules.step(
      employee.state, .report(present.report, device: device), policy: employee.policy, now: now)
    for filing in history where filing.report.isLate(after: present.report) {
      step = step.then(
        .report(filing.report, device: device), policy: employee.policy, now: now)
    }
    return step
  }

  /// One answer a report, in the order sent.
  func outcome(
    _ disposition: ReportOutcome.Disposition, _ snapshot: Snapshot, _ step: GuardStep?
  ) -> ReportUploadOutcome {
    let items = filings.enumerated().map { place, filing in
      ReportUploadOutcome.Item(
        report: held[place] ?? filing.report.id,
        disposition: held[place] != nil ? .duplicate : place == deciding ? disposition : .late)
    }
    return ReportUploadOutcome(
      items: items, snapshot: snapshot, wantsFixNow: step?.wantsFixNow ?? false, detection: nil)
  }
}
