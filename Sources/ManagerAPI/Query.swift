import APIMessages
import HTTPServing
import ShiftDomain

extension HTTPRequest {
  /// The employee asked for; `nil`: everybody.
  func employee() throws(QueryFault) -> EmployeeID? {
    try number("employee", in: 1...Int32.max).map { EmployeeID($0) }
  }

  /// The team asked for; `nil`: every team.
  func team() throws(QueryFault) -> TeamID? {
    try number("team", in: 1...Int32.max).map { TeamID($0) }
  }

  /// The team, which must be named.
  func requiredTeam() throws(QueryFault) -> TeamID { try required("team", team()) }

  /// How many rows at most: 100 unless asked for otherwise.
  func limit() throws(QueryFault) -> Int { Int(try number("limit", in: 1...1_000) ?? 100) }
}
