import ShiftDomain
import ShiftOperations

/// One way of looking after people on shift: whom to look at, and what to do for each.
///
/// Any number of instances may look at one database: each takes what is due in an order of its own,
/// and the write of the employee's state lets one of them do it.
struct Rounds: Sendable {
  /// Those for whom something is due, page by page.
  let due: @Sendable (DueEmployee?, Int) async throws(OperationError) -> [DueEmployee]
  /// Does it for some, all or none of them; answers how long each thing had been due.
  let pass: @Sendable ([EmployeeID]) async throws(OperationError) -> [Duration]
  /// For how many it is done in one go.
  var batchSize = 1
  /// How many goes at the same time.
  var lanes = 1
  let interval: Duration
  /// However long the database is away, it is asked this often.
  var pauseMax: Duration = .seconds(5)
  let observer: WatchObserver

  /// How many are read at once. Each page costs a look at everybody on shift.
  var pageSize = 10_000

  /// So many in a row without the database, and it is not the employees.
  private static let unavailableMax = 3

  /// Looks again and again until its task is cancelled; what is under way is committed or undone.
  func run() async throws {
    var pace = Pace(interval, pauseMax: pauseMax)
    while true {
      let isWell = await look()
      observer.looked(isWell)
      try await Task.sleep(
        for: pace.pause(afterSuccess: isWell, chance: .random(in: 0...1)))
    }
  }

  /// Does everything that is due, page by page, whatever fails for one or the other; answers
  /// whether the database was there for it.
  func look() async -> Bool {
    var last: DueEmployee?
    repeat {
      let page: [DueEmployee]
      do throws(OperationError) {
        page = try await due(last, pageSize)
      } catch {
        tell(error)
        return false
      }
      guard await pass(page) else { return false }
      last = page.count == pageSize ? page.last : nil
    } while last != nil
    return true
  }

  /// Shuffled: another instance has the same page before it.
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

  /// What fails for some together is done for each alone: it may be the fault of one of them.
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
      tell(error)
      unavailable = error.isUnavailable ? unavailable + 1 : 0
    }
    return !Task.isCancelled && unavailable < Self.unavailableMax
  }

  /// Work that was stopped has not failed.
  private func tell(_ error: OperationError) {
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
