import HTTPServing
import ReadModels
import ShiftDomain

package struct QueryFault: Error, Hashable, Sendable {
  package var name: String
  /// What it must be, in words; quotes nothing of the query.
  package var detail: String

  package init(_ name: String, _ detail: String) {
    self.name = name
    self.detail = detail
  }
}

extension HTTPRequest {
  /// `true` or `false`; `false` when absent.
  package func flag(_ name: String) throws(QueryFault) -> Bool {
    switch queryValue(name) {
    case nil, "false": return false
    case "true": return true
    default: throw QueryFault(name, "must be true or false")
    }
  }

  /// A whole number in `range`; `nil` when absent.
  package func number(_ name: String, in range: ClosedRange<Int32>) throws(QueryFault) -> Int32? {
    guard let text = queryValue(name) else { return nil }
    guard let number = Int32(text), range.contains(number) else {
      throw QueryFault(
        name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The page holds entries older than this one; `nil`: from the newest.
  package func auditEntry() throws(QueryFault) -> Int64? {
    guard let text = queryValue("before") else { return nil }
    guard let id = Int64(text), id > 0 else {
      throw QueryFault("before", "must be the `next` of the previous page")
    }
    return id
  }

  /// The actions in `action`, separated by commas; empty when absent.
  package func auditActions() throws(QueryFault) -> [AuditAction] {
    guard let text = queryValue("action") else { return [] }
    let codes = text.split(separator: ",", omittingEmptySubsequences: false)
    let actions = codes.prefix(100).compactMap { AuditAction(code: String($0)) }
    guard actions.count == codes.count else {
      let known = AuditAction.allCases.map(\.code).joined(separator: ", ")
      throw QueryFault("action", "must be of \(known), separated by commas")
    }
    return actions
  }

  package func required<Value>(_ name: String, _ value: Value?) throws(QueryFault) -> Value {
    guard let value else { throw QueryFault(name, "is missing") }
    return value
  }
}
