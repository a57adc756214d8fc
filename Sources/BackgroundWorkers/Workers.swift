import BackgroundOperations
import Lifecycle
import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

/// What time makes due, a row each.
package struct Workers: Sendable {
  private let background: BackgroundOperations
  private let watching: BackgroundOperations
  private let interval: Duration
  private let measuresBackups: Bool
  private let monitor: Monitor
  private let pageSize: Int

  /// - Parameters:
  ///   - background: Those that serve phones: they hold what was measured.
  ///   - watching: The same on connections of their own, for what must be done within seconds. Its
  ///     silence is judged by heartbeats: a `Heartbeat` must run in this or another instance.
  ///   - interval: From one look at open shifts to the next.
  ///   - measuresBackups: Whether it matters how old the last backup is.
  ///   - pageSize: How many employees with something due are read at once.
  package init(
    _ background: BackgroundOperations, watching: BackgroundOperations,
    every interval: Duration = .seconds(1), measuresBackups: Bool = false, pageSize: Int = 10_000,
    _ monitor: Monitor
  ) {
    (self.background, self.watching) = (background, watching)
    (self.interval, self.measuresBackups) = (interval, measuresBackups)
    (self.pageSize, self.monitor) = (pageSize, monitor)
  }

  package var all: [Worker] { watches + upkeep + measurements }

  private var upkeep: [Worker] {
    [
      // At the start, too.
      Worker("retention", every: .seconds(86_400), retryAfter: .seconds(60), monitor) {
        [background, log = monitor.log] () throws(OperationError) in
        try await applyRetention(background, log)
      },
      Worker(
        "detection_recorder", every: .seconds(3), pauseMax: .seconds(10), monitor,
        work: background.storeDetections),
      Worker(
        "rollup", every: .seconds(1), pauseMax: .seconds(10), monitor,
        work: CoverageRollup(background, monitor.metrics).run),
      Worker("digests", every: .seconds(60), pauseMax: .seconds(300), monitor) {
        [background] () throws(OperationError) in
        try await background.queueDigests()
      },
      Worker("policies", every: .seconds(2), pauseMax: .seconds(5), monitor) {
        [background] () throws(OperationError) in
        try await background.beginPlannedPolicies()
      },
      Worker("rehearsals", every: .seconds(30), pauseMax: .seconds(300), monitor) {
        [background] () throws(OperationError) in
        try await background.endOldRehearsals()
      },
    ]
  }

  /// What operators see in the metrics of each instance.
  private var measurements: [Worker] {
    let gauges = OpenShiftGauges(monitor.metrics)
    let counts = Worker("open_shifts", every: .seconds(10), pauseMax: .seconds(60), monitor) {
      [watching] () throws(OperationError) in
      gauges.show(try await watching.openShiftCounts())
    }
    let silence = Worker("mass_silence", every: .seconds(1), pauseMax: .seconds(5), monitor) {
      [watching] () throws(OperationError) in
      gauges.show(massSilence: try await watching.watchMassSilence() != nil)
    }
    return measuresBackups ? [counts, silence, backups] : [counts, silence]
  }

  private var backups: Worker {
    let last = monitor.metrics.gauge(
      "shiftguard_last_backup_timestamp_seconds",
      "Unix time of the last backup that was recorded; 0: none.")
    return Worker("backups", every: .seconds(60), pauseMax: .seconds(300), monitor) {
      [background] () throws(OperationError) in
      last.set(Double(try await background.lastBackup()?.milliseconds ?? 0) / 1_000)
    }
  }

  /// What is due for single employees.
  private var watches: [Worker] {
    let work = watching
    return [
      // Reminds of a forgotten clock-out, asks after a long break, ends a shift at its limit.
      watch("watch", every: interval, due: work.due, process: each(work.processDueTime)),
      // Detects phones that fall silent, and those with contact again. Only it opens and closes
      // `no_contact` and `no_fix`. Silences due in an outage become due together after it, and must
      // be detected within five seconds.
      watch(
        "silence", every: interval, pauseMax: interval, batchSize: 50, lanes: 2, due: work.silent,
        process: work.processSilence),
      // Opens planned shifts at their start, in the teams whose policy says so.
      watch(
        "opening", every: .seconds(2), due: work.openingsDue, process: each(work.openPlannedShift)),
      // Notifies managers of employees who are late for a planned shift or have not come.
      watch(
        "attendance", every: .seconds(10), batchSize: 500, due: work.missedShiftsDue,
        process: { employees throws(OperationError) in
          try await work.notifyOfMissedShifts(of: employees)
          return []
        }),
      // Finds who is away from all sites on shift, or back: each shift at most once a minute.
      watch(
        "away", every: .seconds(10), due: work.awayDue,
        process: each { employee throws(OperationError) in
          try await work.findAway(of: employee)
          return nil
        }),
      // Reminds employees whose page is out of view that it records only on the screen.
      watch(
        "hidden_pages", every: .seconds(10), due: work.hiddenPagesDue,
        process: each { employee throws(OperationError) in
          try await work.remindOfHiddenPage(of: employee)
          return nil
        }),
    ]
  }

  private func watch(
    _ name: String, every interval: Duration, pauseMax: Duration = .seconds(5), batchSize: Int = 1,
    lanes: Int = 1,
    due: @escaping @Sendable (DueEmployee?, Int) async throws(OperationError) -> [DueEmployee],
    process: @escaping @Sendable ([EmployeeID]) async throws(OperationError) -> [Duration]
  ) -> Worker {
    let meter = PollMeter(name, monitor)
    let rounds = Rounds(
      due: due, process: process, batchSize: batchSize, lanes: lanes, pageSize: pageSize,
      meter: meter, lag: monitor.lag(name))
    return Worker(name, every: interval, pauseMax: pauseMax, meter, work: rounds.run)
  }

  private func each(
    _ process: @escaping @Sendable (EmployeeID) async throws(OperationError) -> Duration?
  ) -> @Sendable ([EmployeeID]) async throws(OperationError) -> [Duration] {
    { employees throws(OperationError) in
      var lags: [Duration] = []
      for employee in employees {
        if let lag = try await process(employee) { lags.append(lag) }
      }
      return lags
    }
  }
}
