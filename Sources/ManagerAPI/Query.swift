import APIMessages
import HTTPServing
import ShiftDomain

extension HTTPRequest {
  /// The employee asked for; `nil`: everybody.
  func employee() throws(QueryFault) -> EmployeeID? {
    try number("employee", in: 1...Int32.max).map { EmployeeID($0) }
  }

  /// How many rows at most: 100 unless asked for otherwise.
  func limit() throws(QueryFault) -> Int { Int(try number("limit", in: 1...1_000) ?? 100) }
}
