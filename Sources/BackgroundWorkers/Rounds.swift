import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

/// Work for employees: how to find those with something due, and what to do for each.
///
/// Each instance processes what is due in its own order, and the write of the employee's state lets
/// one of them succeed.
struct Rounds: Sendable {
  /// Employees with something due, page by page.
  let due: @Sendable (DueEmployee?, Int) async throws(OperationError) -> [DueEmployee]
  /// Does the work for some, all or none of them; returns how long each item had been due.
  let process: @Sendable ([EmployeeID]) async throws(OperationError) -> [Duration]
  /// How many employees are processed together.
  var batchSize = 1
  var lanes = 1
  /// How many are read at once. Each page costs a query of all employees on shift.
  let pageSize: Int
  let meter: PollMeter
  /// How long work had been due at COMMIT.
  let lag: Histogram

  /// After this many failures in a row, the database is unavailable, not single employees.
  private static let unavailableMax = 3

  /// Does everything that is due, page by page, whatever fails for single employees. Throws if the
  /// database is unavailable.
  func run() async throws(OperationError) {
    var last: DueEmployee?
    repeat {
      let page = try await due(last, pageSize)
      try await process(page)
      last = page.count == pageSize && !Task.isCancelled ? page.last : nil
    } while last != nil
  }

  /// Shuffled, because another instance may have the same page.
  private func process(_ page: [DueEmployee]) async throws(OperationError) {
    let employees = page.map(\.employee).shuffled()
    let share = employees.count / lanes + 1
    let failure = await withTaskGroup { group in
      for start in stride(from: 0, to: employees.count, by: share) {
        group.addTask { await process(employees[start..<min(start + share, employees.count)]) }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    if let failure { throw failure }
  }

  /// - Returns: Why the database is unavailable.
  private func process(_ lane: ArraySlice<EmployeeID>) async -> OperationError? {
    var rest = lane
    var unavailable = 0
    while !rest.isEmpty, !Task.isCancelled {
      let batch = Array(rest.prefix(batchSize))
      rest = rest.dropFirst(batchSize)
      if let failure = await process(batch, &unavailable) { return failure }
    }
    return nil
  }

  /// What fails for a batch is repeated for each employee alone, because one of them may be the
  /// cause.
  private func process(_ batch: [EmployeeID], _ unavailable: inout Int) async -> OperationError? {
    do throws(OperationError) {
      for span in try await process(batch) { lag.observe(span) }
      unavailable = 0
    } catch {
      guard batch.count == 1 else {
        for employee in batch {
          if let failure = await process([employee], &unavailable) { return failure }
        }
        return nil
      }
      unavailable = error.isUnavailable ? unavailable + 1 : 0
      if unavailable == Self.unavailableMax { return error }
      meter.fail("\(error)")
    }
    return nil
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
