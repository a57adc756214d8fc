import BackgroundOperations
import Lifecycle
import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

/// Empties the outbox: queries for due notifications, processes several employees at once, and
/// stays with each until nothing is due about them.
///
/// Any number of instances may work on one database. If one crashes, the others find its
/// notifications due again half a minute later. A query returns when the next notification will be
/// due, so none waits for a poll longer than necessary; a wake-up brings the next query forward.
package struct NotificationDelivery: Service {
  package struct Pace: Sendable {
    /// The longest time between two queries.
    package var poll: Duration = .seconds(1)
    /// From one query for everything due to the next. Other queries begin where the last one ended.
    package var sweep: Duration = .seconds(2)
    /// How many employees are processed at once.
    package var employeesMax = 48

    package init() {}
  }

  /// Its name in metrics and in what its monitor observes.
  package static let worker = "delivery"

  private let operations: BackgroundOperations
  let clerk: DeliveryClerk
  private let pace: Pace
  private let meter: DeliveryMeter
  private let wakeSignal: WakeSignal
  private let busy = Busy()

  /// - Parameter operations: On their own pool, so that heavy request traffic delays no
  ///   notification.
  package init(
    operations: BackgroundOperations, channels: Channels, pace: Pace = Pace(),
    wakeSignal: WakeSignal = WakeSignal(), monitor: Monitor
  ) {
    self.operations = operations
    self.pace = pace
    self.wakeSignal = wakeSignal
    meter = DeliveryMeter(monitor)
    clerk = DeliveryClerk(operations: operations, channels: channels, meter: meter)
  }

  /// Works until its task is cancelled; then it claims nothing more, and deliveries in progress are
  /// completed and stored.
  package func run() async {
    await withDiscardingTaskGroup { group in
      var round = Round(pace)
      await Polling(every: pace.poll, wakeSignal: wakeSignal).run {
        let employees = await poll(&round)
        for employee in employees {
          group.addTask {
            await clerk.work(for: employee)
            busy.remove(employee)
            wakeSignal.signal()
          }
        }
        return .after(round.pause)
      }
    }
  }

  /// Lets every channel be used at once and retries what waits, after the channels have changed.
  package func retryEverything() async throws(OperationError) {
    clerk.breakers.release()
    try await operations.retryEverything()
    wakeSignal.signal()
  }

  /// Finds the employees to process, and marks them as busy.
  private func poll(_ round: inout Round) async -> [EmployeeID] {
    let room = pace.employeesMax - busy.count
    guard room > 0 else {
      round.pause = pace.poll
      return []
    }
    do throws(OperationError) {
      let start = round.begin()
      // Employees in progress may be due as well, when their leases are released.
      let limit = 2 * pace.employeesMax
      let due = try await operations.dueNotifications(
        from: start, limit: limit, within: TimeSpan(roundingUp: pace.poll))
      if start == nil { meter.loaded(try await operations.outboxLoad()) }
      let employees = busy.add(due.employees, atMost: room)
      round.end(due, isFull: employees.count == room)
      meter.polls.end(isWell: true)
      return employees
    } catch {
      meter.polls.fail("\(error)")
      meter.polls.end(isWell: false)
      round.fail()
      return []
    }
  }
}

/// Where queries begin, and how long to wait after them.
private struct Round {
  /// A transaction that is open for longer than this when it commits is found by a full query.
  private static let margin = TimeSpan.milliseconds(500)

  private let pace: NotificationDelivery.Pace
  private var start: Instant?
  private var sweptAt: ContinuousClock.Instant?
  var pause: Duration

  init(_ pace: NotificationDelivery.Pace) {
    self.pace = pace
    pause = pace.poll
  }

  /// From when on due notifications are queried; `nil`: all.
  mutating func begin() -> Instant? {
    if let sweptAt, ContinuousClock.now - sweptAt < pace.sweep { return start }
    sweptAt = .now
    return nil
  }

  mutating func end(_ due: DueNotifications, isFull: Bool) {
    if let last = due.last { start = max(start ?? last - Self.margin, last - Self.margin) }
    let next = due.next.map { Duration.milliseconds($0.milliseconds) } ?? pace.poll
    pause = isFull ? .zero : min(pace.poll, next)
  }

  mutating func fail() {
    (start, sweptAt) = (nil, nil)
    pause = pace.poll * Double.random(in: 0.5...1.5)
  }
}

/// The employees that an instance is processing.
private final class Busy: Sendable {
  private let employees = Lock<Set<EmployeeID>>([])

  var count: Int { employees.withLock { $0.count } }

  /// Adds the candidates that are not in it yet, and returns them.
  func add(_ candidates: [EmployeeID], atMost room: Int) -> [EmployeeID] {
    employees.withLock { employees in
      let new = Array(candidates.filter { !employees.contains($0) }.prefix(room))
      employees.formUnion(new)
      return new
    }
  }

  func remove(_ employee: EmployeeID) {
    _ = employees.withLock { $0.remove(employee) }
  }
}
