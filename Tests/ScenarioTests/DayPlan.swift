import ShiftDomain
import TestKit

/// What happens to an employee or their phones.
enum DayEvent: Hashable, Sendable {
  case clockIn, clockOut, breakStart, breakEnd, takeOver
  case authorization(String)
  case services(String)
  case accuracy(String)
  /// The permission is lost and restored at once.
  case flicker
  /// The phone is off: it neither records nor sends.
  case isOff(Bool)
  /// The phone has no network: it records, and sends when it is back.
  case isOffline(Bool)
  case open, close
  /// A position is due.
  case fix

  /// Whether it may change the tracking state or cause notifications.
  var isNews: Bool { self != .fix }
}

/// The day of all employees, from a seed.
struct DayPlan: Sendable {
  /// All events happen at a multiple of this, so that several coincide.
  static let grid: Int64 = 20
  static let length: Int64 = 6 * 3_600
  /// Four teams of ten employees each.
  static let teams: Range<Int> = 0..<4

  /// The employees' events, by time in seconds.
  private(set) var events: [(at: Int64, employee: Int32, event: DayEvent)] = []

  init(seed: UInt64, employees: Int32) {
    var random = SeededRandom(seed: seed)
    for employee in 1...employees { add(employee, &random) }
    // Stable, so that each employee's events keep their order.
    events = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  static func team(of employee: Int32) -> Int { (Int(employee) - 1) / 10 }

  /// Seconds between fixes. Few teams have the shortest interval: they send about as much as all
  /// others.
  static func interval(of team: Int) -> Int64 { team % 10 == 0 ? 60 : team % 2 == 0 ? 300 : 600 }

  private mutating func add(_ employee: Int32, _ random: inout SeededRandom) {
    func moment(_ from: Int64, _ span: Int64) -> Int64 {
      (from + random.below(span)) / Self.grid * Self.grid
    }
    let start = moment(0, 1_800)
    let end = moment(Self.length - 3_600, 3_600)
    plan(start, employee, .clockIn)
    if random.below(20) > 0 { plan(end, employee, .clockOut) }
    if random.below(3) > 0 {
      plan(moment(0, 3_600), employee, .open)
      if random.below(3) == 0 {
        let closing = moment(3_600, 7_200)
        plan(closing, employee, .close)
        plan(closing + moment(20, 3_600), employee, .open)
      }
    }
    if random.below(3) > 0 {
      let begin = moment(start + 3_600, 7_200)
      plan(begin, employee, .breakStart)
      plan(begin + moment(600, 1_800), employee, .breakEnd)
    }
    for _ in 0..<(2 + random.below(4)) {
      disturb(employee, moment(start + 60, end - start), &random)
    }
    let interval = Self.interval(of: Self.team(of: employee))
    for at in stride(from: start, to: Self.length, by: Int(interval)) { plan(at, employee, .fix) }
  }

  private mutating func disturb(
    _ employee: Int32, _ from: Int64, _ random: inout SeededRandom
  ) {
    let until = from + (20 + random.below(1_500)) / Self.grid * Self.grid
    let authorizations = ["denied", "denied", "when_in_use", "not_determined", "restricted"]
    switch random.below(10) {
    case 0...2:
      plan(from, employee, .authorization(authorizations[Int(random.below(5))]))
      if random.below(3) == 0 {
        plan(from + Self.grid, employee, .authorization(authorizations[Int(random.below(5))]))
      }
      plan(until, employee, .authorization("always"))
    case 3:
      plan(from, employee, .services("off"))
      plan(until, employee, .services("on"))
    case 4:
      plan(from, employee, .accuracy("reduced"))
      plan(until, employee, .accuracy("full"))
    case 5: for count in 0..<(1 + random.below(4)) { plan(from + count * 60, employee, .flicker) }
    case 6, 7:
      plan(from, employee, .isOff(true))
      plan(until, employee, .isOff(false))
    case 8:
      plan(from, employee, .isOffline(true))
      plan(until, employee, .isOffline(false))
    default: plan(from, employee, .takeOver)
    }
  }

  private mutating func plan(_ at: Int64, _ employee: Int32, _ event: DayEvent) {
    if at < Self.length { events.append((at, employee, event)) }
  }
}
