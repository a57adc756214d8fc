import ShiftDomain
import ShiftOperations

/// One way of looking after people on shift: whom to look at, and what to do for each.
///
/// Any number of instances may look at one database: each takes what is due in an order of its own,
/// and the write of the employee's state lets one of them do it.
struct Rounds: Sendable {
  /// Those for whom something is due, page by page.
  let due: @Sendable (DueEmployee?, Int) async throws(OperationError) -> [DueEmployee]
  /// Does it; answers how long it had been due, if it was.
  let pass: @Sendable (EmployeeID) async throws(OperationError) -> Duration?
  let interval: Duration
  /// However long the database is away, it is asked this often.
  var pauseMax: Duration = .seconds(5)
  let observer: WatchObserver

  /// How many are read at once.
  static let pageSize = 100

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
        page = try await due(last, Self.pageSize)
      } catch {
        tell(error)
        return false
      }
      guard await pass(page) else { return false }
      last = page.count == Self.pageSize ? page.last : nil
    } while last != nil
    return true
  }

  /// Shuffled: another instance has the same page before it.
  private func pass(_ page: [DueEmployee]) async -> Bool {
    var unavailable = 0
    for due in page.shuffled() {
      do throws(OperationError) {
        if let lag = try await pass(due.employee) { observer.passed(lag) }
        unavailable = 0
      } catch {
        tell(error)
        unavailable = error.isUnavailable ? unavailable + 1 : 0
      }
      guard !Task.isCancelled, unavailable < Self.unavailableMax else { return false }
    }
    return true
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
