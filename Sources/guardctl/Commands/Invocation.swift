import CivilTime
import CommandParsing
import Foundation
import JSONText
import ManagerCore
import ManagerOperations
import PeopleOperations
import ReadModels
import ServiceSettings
import ShiftDomain

struct Invocation: Sendable {
  var parsed: ParsedCommand
  var executable: String
  /// The environment, where settings of `guardd` may be.
  var environment: [String: String] = [:]
  /// The file of settings of this machine's `guardd`; it need not exist.
  var settingsFile = ""

  func text(_ name: String) throws(Complaint) -> String {
    guard let text = parsed.string(name) else { throw .usage("`--\(name)` is missing") }
    return text
  }

  /// A number that the command requires; the parser has checked its range.
  func number(_ name: String) throws(Complaint) -> Int32 {
    guard let number = optionalNumber(name) else { throw .usage("`\(name)` is missing") }
    return number
  }

  func optionalNumber(_ name: String) -> Int32? { parsed.int(name).map { Int32(clamping: $0) } }

  func employee(_ name: String) -> EmployeeID? { optionalNumber(name).map { EmployeeID($0) } }

  var limit: Int { parsed.int("limit") ?? 50 }

  /// The first of `rows`, as many as `--limit` allows.
  func limited<Row>(_ rows: [Row]) -> [Row] { Array(rows.prefix(parsed.int("limit") ?? .max)) }

  /// The format that the command line names; `nil`: the one for where the output goes.
  var format: OutputFormat? {
    get throws(Complaint) {
      let named = parsed.string("output").flatMap { OutputFormat(rawValue: $0) }
      guard parsed.flag("json") else { return named }
      guard named == nil || named == .json else {
        throw .usage("`--json` and `--output \(named?.rawValue ?? "")` exclude each other")
      }
      return .json
    }
  }

  var team: TeamID {
    get throws(Complaint) { TeamID(try number("team")) }
  }

  /// The team that `--team` names; an empty list for an unknown one would be misleading.
  func onlyTeam(_ operations: ManagerOperations) async throws -> TeamID? {
    guard let team = optionalNumber("team").map({ TeamID($0) }) else { return nil }
    _ = try await operations.people.team(team)
    return team
  }

  /// What the options of a list select of shifts or incidents.
  func listFilter(_ operations: ManagerOperations) async throws -> ListFilter {
    var filter = ListFilter(in: TeamScope().narrowed(to: try await onlyTeam(operations)))
    filter.employee = employee("employee")
    if let employee = filter.employee { _ = try await operations.people.employee(employee) }
    if parsed.flag(openOption.name) { filter.isOpen = true }
    filter.from = try await since(operations)
    return filter
  }

  /// The time that `--since` names, the same for every output format.
  func since(_ operations: ManagerOperations) async throws(Complaint) -> Instant? {
    guard let text = parsed.string(sinceOption.name) else { return nil }
    if let span = TimeSpan(text), span > .zero { return operations.core.now() - span }
    if let day = CivilDate(text),
      let time = CivilTime(zone: await teamZone(operations).name)
    {
      return time.span(of: day).start
    }
    guard let instant = Instant(rfc3339: text) else {
      throw .usage(
        "`--since` cannot be `\(text.showable)`: write `24h`, `2026-11-20` or "
          + "`2026-11-20T09:30:00Z`")
    }
    return instant
  }

  func preset(_ name: String) throws(Complaint) -> Preset? {
    parsed.string(name) == nil ? nil : try coded(name, Preset.self)
  }

  func coded<Value: Coded>(_ name: String, _ type: Value.Type) throws(Complaint) -> Value {
    let code = try text(name)
    guard let value = Value(code: code) else {
      throw .usage("`--\(name)` cannot be `\(code)`")
    }
    return value
  }

  /// `7/12`: an employee and a number within that employee, both above zero.
  func pair(_ name: String) throws(Complaint) -> (EmployeeID, Int32) {
    let text = try text(name)
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int32($0) }
    guard numbers.count == 2, let employee = numbers[0], let number = numbers[1], employee > 0,
      number > 0
    else { throw .usage("`\(text)` is not a \(name): write employee and number, such as `7/1`") }
    return (EmployeeID(employee), number)
  }

  func device(_ name: String) throws(Complaint) -> DeviceID {
    let (employee, number) = try pair(name)
    guard let number = Int16(exactly: number) else {
      throw .usage("`\(number)` is not a device number: the maximum is \(Int16.max)")
    }
    return DeviceID(employee: employee, number: number)
  }

  func span(_ name: String, max: TimeSpan) throws(Complaint) -> TimeSpan {
    let text = try text(name)
    guard let span = TimeSpan(text), span > .zero else {
      throw .usage("`--\(name)` cannot be `\(text)`: write a number with a unit, such as `24h`")
    }
    guard span <= max else {
      throw .usage("`--\(name)` cannot be `\(text)`: the maximum is \(max.roughly)")
    }
    return span
  }

  /// An instant such as `2026-11-20T09:30:00Z`; `nil` when not given.
  func instant(_ name: String) throws(Complaint) -> Instant? {
    guard let text = parsed.string(name) else { return nil }
    guard let instant = Instant(rfc3339: text) else {
      throw .usage(
        "`--\(name)` cannot be `\(text.showable)`: write it as `2026-11-20T09:30:00Z`")
    }
    return instant
  }

  func finding(_ code: String) throws(Complaint) -> Finding {
    guard let finding = Finding(code: code) else {
      let known = FindingSet.all.ranked.map(\.code).joined(separator: ", ")
      throw .usage("`\(code)` is not a finding: it must be one of \(known)")
    }
    return finding
  }

  /// The name to record for the action: `--by`, or the current user.
  var actor: AuditActor { AuditActor(name: parsed.string(byOption.name) ?? NSUserName()) }

  /// The same with all rights.
  var principal: Principal { Principal(actor: actor, role: .administrator) }

  /// All values of `--team 3:coverage,track`; a team alone gives no right to coordinates.
  func teamRights() throws(Complaint) -> [TeamID: TeamRights] {
    var teams: [TeamID: TeamRights] = [:]
    for text in parsed.strings(teamsOption.name) {
      let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let words = halves.count == 2 ? halves[1].split(separator: ",") : ["coverage"]
      let rights = words.compactMap { TeamRights(code: String($0)) }
      guard let team = Int32(halves[0]), team > 0, !words.isEmpty, rights.count == words.count
      else {
        throw .usage(
          "`--team` cannot be `\(text.showable)`: write `3`, `3:coverage` or `3:coverage,track`")
      }
      teams[TeamID(team), default: []].formUnion(rights.reduce([]) { $0.union($1) })
    }
    return teams
  }

  /// A URL that can be printed into a shell command as it is.
  func server(_ name: String) throws(Complaint) -> String {
    let text = try text(name)
    guard isPublicURL(text) else {
      throw .usage("`--\(name)` cannot be `\(text.showable)`: write `https://HOST` without a query")
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

extension TimeSpan {
  /// A whole number with the unit `s`, `m`, `h`, `d` or `w`; `nil` for anything else.
  init?(_ text: String) {
    guard let last = text.last, let count = Int64(text.dropLast()), count >= 0 else { return nil }
    switch last {
    case "s": self = .seconds(count)
    case "m": self = .minutes(count)
    case "h": self = .hours(count)
    case "d": self = .hours(min(count, 1_000_000) * 24)
    case "w": self = .hours(min(count, 1_000_000) * 24 * 7)
    default: return nil
    }
  }
}
