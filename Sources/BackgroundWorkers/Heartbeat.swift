import BackgroundOperations
import Lifecycle
import OperationCore
import ShiftDomain
import Telemetry

/// Stores the last contacts of phones once a second, and that this instance is alive; so it notices
/// when no instance could answer phones.
package struct Heartbeat: Service {
  /// Its name in metrics and in what its monitor observes.
  package static let worker = "heartbeat"

  private let operations: BackgroundOperations
  private let interval: Duration
  private let version: String?
  private let meter: PollMeter
  private let log: Log
  private let outages: Counter
  private let clockAhead: Gauge
  private let differing: LastingFailure
  /// The number of this instance, from this start to its end.
  private let instance = Int64.random(in: 1...Int64.max)

  /// - Parameters:
  ///   - operations: Shares its `lastSeen` with those that serve phones. With its own connections,
  ///     because heavy request traffic is not an outage.
  ///   - interval: From one heartbeat to the next. Stored contacts, and the watch over silence, are
  ///     as much behind.
  ///   - version: What this instance was built from.
  package init(
    operations: BackgroundOperations, interval: Duration = .seconds(1), version: String? = nil,
    monitor: Monitor
  ) {
    self.operations = operations
    self.interval = interval
    self.version = version
    log = monitor.log
    meter = PollMeter(Self.worker, monitor)
    outages = monitor.metrics.counter(
      "shiftguard_outages_total",
      "Outages recorded by this instance: phones could not be answered.")
    clockAhead = monitor.metrics.gauge(
      "shiftguard_clock_ahead_seconds",
      "Seconds by which this instance's clock is ahead of the database clock; negative: behind.")
    differing = LastingFailure("clock differs", monitor.log)
  }

  /// Runs until its task is cancelled. Nothing is lost by a failure: the next heartbeat stores it.
  package func run() async {
    let availability = operations.availability
    let ticker = Ticker(every: .milliseconds(500)) { availability.noteRunning() }
    defer { ticker.stop() }
    await Polling(every: interval).run {
      await beat()
      return .atInterval
    }
  }

  /// The last heartbeat, of an instance that was asked to stop. After everything that could record
  /// contacts has stopped, because a cancelled task can no longer write.
  package func stop() async {
    await beat()
    do throws(OperationError) {
      try await operations.markStopped(instance)
    } catch {
      meter.fail("\(error)")
    }
  }

  package func beat() async {
    do throws(OperationError) {
      note(difference: try await operations.compareClocks())
      for outage in try await operations.beat(as: instance, version: version) {
        outages.add()
        log.warning("outage recorded", ["milliseconds": outage.length.milliseconds])
      }
      meter.end(isWell: true)
    } catch {
      // Also if the database only reads, which the error names a bug. After a conflict another
      // instance's heartbeat is stored.
      if case .conflict = error {} else { operations.availability.noteFailure() }
      meter.fail("\(error)")
      meter.end(isWell: false)
    }
  }

  /// Warns when our clock differs from the database's.
  private func note(difference: TimeSpan) {
    clockAhead.set(Double(difference.milliseconds) / 1_000)
    let size = difference < .zero ? .zero - difference : difference
    if size > ClockWatch.bearable {
      differing.report("over 2 s from the database clock: requests are refused until it is right")
    } else if size > ClockWatch.noticeable {
      differing.report("over 0.5 s from the database clock")
    }
    differing.endPoll()
  }
}
