import CivilTime
import HTTPAPI
import HTTPServing
import ReadModels
import ShiftDomain

extension HTTPRequest {
  /// The requested employee; `nil`: all.
  func employee() throws(QueryFault) -> EmployeeID? {
    try number("employee", in: 1...Int32.max).map { EmployeeID($0) }
  }

  /// The requested team; `nil`: all.
  func team() throws(QueryFault) -> TeamID? {
    try number("team", in: 1...Int32.max).map { TeamID($0) }
  }

  func requiredTeam() throws(QueryFault) -> TeamID { try required("team", team()) }

  /// The requested employees: at most 500 numbers separated by commas; `nil`: all.
  func employees() throws(QueryFault) -> [EmployeeID]? {
    guard let text = queryValue("employees") else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.prefix(501).compactMap { Int32($0) }.filter { $0 > 0 }
    guard numbers.count == parts.count, numbers.count <= 500 else {
      throw QueryFault("employees", "must be 1 to 500 numbers separated by commas")
    }
    return numbers.map { EmployeeID($0) }
  }

  /// A day such as 2026-10-25; `nil` when absent.
  func day(_ name: String) throws(QueryFault) -> CivilDate? {
    guard let text = queryValue(name) else { return nil }
    guard let day = CivilDate(text) else {
      throw QueryFault(name, "must be a day such as 2026-10-25")
    }
    return day
  }

  /// A code of a closed list; `nil` when absent.
  func word<Word: Coded>(_ name: String) throws(QueryFault) -> Word? {
    guard let text = queryValue(name) else { return nil }
    guard let word = Word(code: text) else {
      let words = Word.allCases.map(\.code).joined(separator: ", ")
      throw QueryFault(name, "must be one of \(words)")
    }
    return word
  }

  /// The maximum number of rows: 100 by default.
  func limit() throws(QueryFault) -> Int { Int(try number("limit", in: 1...1_000) ?? 100) }
}
