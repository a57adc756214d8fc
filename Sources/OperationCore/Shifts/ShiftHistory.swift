import GuardRules
import NotificationQueue
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension OperationCore {
  package func shiftDetails(of shift: ShiftID) async throws(OperationError) -> ShiftDetails {
    let asOf = now()
    let found: ShiftDetails? = try await readSnapshot { (session) throws(PostgresError) in
      var first = Batch()
      let history = ShiftDetails.Places(of: shift, in: &first)
      try session.run(&first)
      var rest = Batch()
      let evidence = history.evidence(first, in: &rest)
      session.endSnapshotWithNext()
      try session.run(&rest)
      return ShiftDetails(first, history, rest, evidence, asOf: asOf)
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}

extension ShiftDetails {
  /// Where the parts of a shift are found in a batch.
  package struct Places {
    /// More than any shift has about it, from the oldest on.
    private static let notificationsMax = 200

    private let shift: ShiftID
    private let history: Batch.Place<HistoryReading>
    private let notifications: Batch.Place<NotificationsReading>

    /// Appends last what advises the planner, so append other joins before it.
    package init(of shift: ShiftID, in batch: inout Batch) {
      self.shift = shift
      notifications = batch.append(NotificationsReading(of: shift.employee, limit: 1_000))
      history = batch.append(HistoryReading(of: shift))
    }

    package func history(in batch: Batch) -> HistoryReading { batch[history] }

    fileprivate func notifications(in batch: Batch) -> [NotificationRow] {
      batch[notifications].rows(
        about: shift, batch[history].episodes, limit: Self.notificationsMax)
    }

    /// What has to be read then.
    package func evidence(_ batch: Batch, in rest: inout Batch) -> Evidence {
      Evidence(
        pings: rest.append(batch[history].pings),
        attempts: rest.append(notifications(in: batch).attempts))
    }
  }

  /// Where what depends on a shift is found in a second batch.
  package struct Evidence {
    fileprivate let pings: Batch.Place<Query<[ReceivedPing]?>>
    fileprivate let attempts: Batch.Place<Query<[NotificationID: [DeliveryAttempt]]>>
  }

  /// `nil` if the shift does not exist.
  package init?(
    _ batch: Batch, _ places: Places, _ rest: Batch, _ evidence: Evidence, asOf: Instant
  ) {
    let reading = places.history(in: batch)
    guard let record = reading.shift.record else { return nil }
    let around = reading.shift.surroundings
    let pings = rest[evidence.pings]
    self.init(
      row: record,
      coverage: ShiftCoverage(of: record, around, pings: pings, asOf: asOf),
      trackingState: record.endedAt == nil
        ? TrackingState(of: record, around, pings: pings, at: asOf)
        : TrackingState(in: [], at: asOf),
      history: ShiftHistory(of: record, around, reading),
      notifications: places.notifications(in: batch).entries(rest[evidence.attempts]))
  }
}

extension HistoryReading {
  /// What its coverage needs besides this reading; `nil` if the rollup must do.
  fileprivate var pings: Query<[ReceivedPing]?> {
    guard let record = shift.record else { return Query(known: nil) }
    return allPings(of: record, shift.surroundings)
  }
}

extension ShiftHistory {
  /// A confirmation is stored as a take-over, but is not one.
  fileprivate init(
    of record: ShiftRow, _ around: ShiftSurroundings, _ reading: HistoryReading
  ) {
    self.init(
      original: reading.original, corrections: reading.corrections,
      breaks: around.breaks.intervals,
      takeOvers: around.takeOvers.filter { $0.since != record.confirmedAt }
        .map { TrackingSpan(device: $0.device, since: $0.since) },
      override: reading.override, incidents: reading.incidents.reversed(), notes: reading.notes,
      lateReceipts: reading.lateActions.merging(around.reports.lateReceipts, uniquingKeysWith: min),
      arrivals: reading.arrivals,
      away: reading.away.within(ShiftSpan(from: record.startedAt, to: record.endedAt)),
      clockOut: record.endedAt == nil ? nil : reading.clockOut, plannedEnd: reading.plannedEnd)
  }
}

extension [ReceivedReport] {
  /// When those were received that came over a minute late, by the times that they tell of.
  fileprivate var lateReceipts: [Instant: Instant] {
    var receipts: [Instant: Instant] = [:]
    for received in self {
      for at in [received.report.effectiveAt, received.report.appExit?.at].compactMap(\.self)
      where at + .minutes(1) < received.receivedAt {
        receipts[at] = Swift.min(receipts[at] ?? received.receivedAt, received.receivedAt)
      }
    }
    return receipts
  }
}
