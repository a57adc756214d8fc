public import Lifecycle
import ShiftDomain
public import ShiftOperations

/// Does what time alone makes due for people on shift: reminds of a forgotten clock-out, asks after
/// a long break, ends a shift at its limit.
///
/// Any number of instances may watch one database: each takes what is due in an order of its own,
/// and the write of the employee's state lets one of them do it.
public struct ShiftWatch: Service {
  private let operations: Operations
  private let interval: Duration
  private let observer: WatchObserver

  /// How many are read at once.
  static let pageSize = 100

  /// So many in a row without the database, and it is not the employees.
  private static let unavailableMax = 3

  /// - Parameters:
  ///   - interval: From one look to the next, about; more after a failure.
  ///   - observer: Told of what was done and of failures.
  public init(
    operations: Operations, interval: Duration = .seconds(1),
    observer: WatchObserver = WatchObserver()
  ) {
    self.operations = operations
    self.interval = interval
    self.observer = observer
  }

  /// Looks again and again until its task is cancelled; what is under way is committed or undone.
  public func run() async throws {
    var pace = Pace(interval)
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
        page = try await operations.due(after: last, limit: Self.pageSize)
      } catch {
        tell(error)
        return false
      }
      guard await passTime(of: page) else { return false }
      last = page.count == Self.pageSize ? page.last : nil
    } while last != nil
    return true
  }

  /// Shuffled: another instance has the same page before it.
  private func passTime(of page: [DueEmployee]) async -> Bool {
    var unavailable = 0
    for due in page.shuffled() {
      do throws(OperationError) {
        if let lag = try await operations.passTime(of: due.employee) { observer.passed(lag) }
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

/// What a watch tells of itself, for log and metrics. Must return quickly.
public struct WatchObserver: Sendable {
  /// Something was done, and so long it had been due when it was committed.
  public var passed: @Sendable (Duration) -> Void
  /// A reading, or the work for one employee, failed; the text is safe to log.
  public var failed: @Sendable (String) -> Void
  /// A look has ended; whether the database was there for it.
  public var looked: @Sendable (Bool) -> Void

  /// An observer; by default nobody listens.
  public init(
    passed: @escaping @Sendable (Duration) -> Void = { _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in },
    looked: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.passed = passed
    self.failed = failed
    self.looked = looked
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
