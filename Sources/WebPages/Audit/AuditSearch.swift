import CivilTime
import HTTPAPI
import HTTPServing
import ReadModels
import ShiftDomain

/// What the form of the page asks for, as typed.
struct AuditSearch: Sendable {
  /// A number, or a part of a name.
  var employee = ""
  var account: AccountID?
  var actor = ""
  var action: AuditAction?
  var from = ""
  var to = ""
  /// Only older entries than this one.
  var before: Int64?

  init() {}

  init(_ request: HTTPRequest) throws {
    func text(_ name: String) throws -> String {
      let text = request.queryValue(name) ?? ""
      guard text.unicodeScalars.count <= 100 else { throw PageNotFound() }
      return text
    }
    func number(_ name: String) throws -> Int64? {
      let text = try text(name)
      guard !text.isEmpty else { return nil }
      guard let number = Int64(text), number > 0 else { throw PageNotFound() }
      return number
    }
    employee = try text("employee")
    account = try number("account").map { AccountID(Int32(clamping: $0)) }
    actor = try text("actor")
    let code = try text("action")
    action = AuditAction(code: code)
    guard action != nil || code.isEmpty else { throw PageNotFound() }
    (from, to) = (try text("from"), try text("to"))
    before = try number("before")
  }

  /// The same search from the newest entry on.
  var query: Query {
    Query().with("employee", employee).with("account", account.map { String($0.rawValue) })
      .with("actor", actor).with("action", action?.code).with("from", from).with("to", to)
  }

  /// Whether it leaves nothing out.
  var isEmpty: Bool { query.text.isEmpty }

  /// Everything but the employee.
  /// - Returns: `nil` if the dates are none, or are not in order.
  func filter(_ clock: TeamClock) -> AuditFilter? {
    var filter = AuditFilter(before: before)
    filter.account = account
    filter.actions = action.map { [$0] } ?? []
    filter.actor = actor.isEmpty ? nil : actor
    if !from.isEmpty {
      guard let day = CivilDate(from) else { return nil }
      filter.from = clock.time.span(of: day).start
    }
    if !to.isEmpty {
      guard let day = CivilDate(to) else { return nil }
      filter.to = clock.time.span(of: day).end
    }
    if let from = filter.from, let to = filter.to, to <= from { return nil }
    return filter
  }
}

extension AuditFilter {
  /// The same entries in the API.
  var query: Query {
    Query().with("employee", employee.map { String($0.rawValue) })
      .with("account", account.map { String($0.rawValue) }).with("actor", actor)
      .with("action", actions.map(\.code).joined(separator: ","))
      .with("from", from?.rfc3339).with("to", to?.rfc3339)
  }
}
