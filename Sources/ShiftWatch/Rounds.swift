import BackgroundOperations
import OperationCore
import ShiftDomain

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
  /// How many batches are processed concurrently.
  var lanes = 1
  let interval: Duration
  /// The longest pause while the database is away.
  var pauseMax: Duration = .seconds(5)
  let observer: WatchObserver

  /// How many are read at once. Each page costs a query of all employees on shift.
  var pageSize = 10_000

  /// After this many failures in a row, the database is unavailable, not single employees.
  private static let unavailableMax = 3

  /// Polls until its task is cancelled; work in progress is committed or rolled back.
  func run() async throws {
    var pace = Pace(interval, pauseMax: pauseMax)
    while true {
      let isWell = await look()
      observer.looked(isWell)
      try await Task.sleep(
        for: pace.pause(afterSuccess: isWell, chance: .random(in: 0...1)))
    }
  }

  /// Does everything that is due, page by page, whatever fails for single employees; returns
  /// whether the database was available.
  func look() async -> Bool {
    var last: DueEmployee?
    repeat {
      let page: [DueEmployee]
      do throws(OperationError) {
        page = try await due(last, pageSize)
      } catch {
        report(error)
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
      for lag in try await pass(batch) { observer.passed(lag) }
      unavailable = 0
    } catch {
      guard batch.count == 1 else {
        for employee in batch {
          guard await pass([employee], &unavailable) else { return false }
        }
        return true
      }
      report(error)
      unavailable = error.isUnavailable ? unavailable + 1 : 0
    }
    return !Task.isCancelled && unavailable < Self.unavailableMax
  }

  /// Cancelled work has not failed.
  private func report(_ error: OperationError) {
    if !Task.isCancelled { observer.failed("\(error)") }
  }
}

extension OperationError {
  fileprivate var isUnavailable: Bool {
    switch self {
    case .unavailable, .outcomeUnknown: true
    default: false
    }
  }
}
