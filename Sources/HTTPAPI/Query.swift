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

  package func required<Value>(_ name: String, _ value: Value?) throws(QueryFault) -> Value {
    guard let value else { throw QueryFault(name, "is missing") }
    return value
  }
}
