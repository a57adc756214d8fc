import HTTPServing
import ShiftDomain

/// A value of the query that cannot be read.
struct QueryFault: Error {
  /// The value's name.
  var name: String
  /// What it must be, for people.
  var detail: String
}

extension HTTPRequest {
  /// `true` or `false`; `false` when absent.
  func flag(_ name: String) throws(QueryFault) -> Bool {
    switch queryValue(name) {
    case nil, "false": return false
    case "true": return true
    default: throw QueryFault(name: name, detail: "must be true or false")
    }
  }

  /// A whole number in `range`; `nil` when absent.
  func number(_ name: String, in range: ClosedRange<Int32>) throws(QueryFault) -> Int32? {
    guard let text = queryValue(name) else { return nil }
    guard let number = Int32(text), range.contains(number) else {
      throw QueryFault(
        name: name,
        detail: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The employee asked for; `nil`: everybody.
  func employee() throws(QueryFault) -> EmployeeID? {
    try number("employee", in: 1...Int32.max).map { EmployeeID($0) }
  }

  /// How many rows at most: 100 unless asked for otherwise.
  func limit() throws(QueryFault) -> Int { Int(try number("limit", in: 1...1_000) ?? 100) }
}
