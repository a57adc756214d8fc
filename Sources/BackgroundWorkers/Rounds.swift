import Lifecycle
import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

/// One kind of work for employees on shift: how to find the due ones, and what to do for each.
///
/// Any number of instances may poll one database: each processes what is due in its own order, and
/// the write of the employee's state lets one of them succeed.
struct Rounds: Sendable {
  /// Employees with something due, page by page.
  let due: @Sendable (DueEmployee?, Int) async throws(OperationError) -> [DueEmployee]
  /// Does the work for some, all or none of them; returns how long each item had been due.
  let pass: @Sendable ([EmployeeID]) async throws(OperationError) -> [Duration]
  /// How many employees are processed together.
  var batchSize = 1
  var lanes = 1
  let interval: Duration
  /// The longest pause while the database is away.
  var pauseMax: Duration = .seconds(5)
  let meter: PollMeter
  /// How long work had been due at COMMIT.
  let lag: Histogram

  /// How many are read at once. Each page costs a query of all employees on shift.
  var pageSize = 10_000

  /// After this many failures in a row, the database is unavailable, not single employees.
  private static let unavailableMax = 3

  /// Polls until its task is cancelled; work in progress is committed or rolled back.
  func run() async {
    await Polling(every: interval, jitter: 0.25, pauseMax: pauseMax).run {
      await poll() ? .atInterval : .afterFailure
    }
  }

  /// Does everything that is due, page by page, whatever fails for single employees; returns
  /// whether the database was available.
  func poll() async -> Bool {
    let isWell = await passAll()
    meter.end(isWell: isWell)
    return isWell
  }

  private func passAll() async -> Bool {
    var last: DueEmployee?
    repeat {
      let page: [DueEmployee]
      do throws(OperationError) {
        page = try await due(last, pageSize)
      } catch {
        meter.fail("\(error)")
        return false
      }
      guard await pass(page) else { return false }
      last = page.count == pageSize ? page.last : nil
    } while last != nil
    return true
  }

  /// Shuffled, because another instance may have the same page.
  private func pass(_ page: [DueEmployee]) async -> Bool {
    let employees = page.map(\.employee).shuffled()
    let share = employees.count / lanes + 1
    return await withTaskGroup { group in
      for start in stride(from: 0, to: employees.count, by: share) {
        group.addTask { await pass(employees[start..<min(start + share, employees.count)]) }
      }
      return await group.reduce(true) { $0 && $1 }
    }
  }

  private func pass(_ lane: ArraySlice<EmployeeID>) async -> Bool {
    var rest = lane
    var unavailable = 0
    while !rest.isEmpty {
      let batch = Array(rest.prefix(batchSize))
      rest = rest.dropFirst(batchSize)
      guard await pass(batch, &unavailable) else { return false }
    }
    return true
  }

  /// What fails for a batch is repeated for each employee alone, because one of them may be the
  /// cause.
  private func pass(_ batch: [EmployeeID], _ unavailable: inout Int) async -> Bool {
    do throws(OperationError) {
      for span in try await pass(batch) { lag.observe(span) }
      unavailable = 0
    } catch {
      guard batch.count == 1 else {
        for employee in batch {
          guard await pass([employee], &unavailable) else { return false }
        }
        return true
      }
      meter.fail("\(error)")
      unavailable = error.isUnavailable ? unavailable + 1 : 0
    }
    return !Task.isCancelled && unavailable < Self.unavailableMax
  }
}

extension Monitor {
  /// How long the work of `worker` had been due at COMMIT.
  func lag(_ worker: String) -> Histogram {
    metrics.histogram(
      "shiftguard_worker_lag_seconds", "Time from when work became due to its COMMIT, by worker.",
      ["worker": worker], bounds: workLags)
  }
}

let workLags = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600]
