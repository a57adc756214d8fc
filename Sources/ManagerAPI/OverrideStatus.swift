import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerCore
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

// Responses to overrides, reviews and corrections.

extension ManagerStatus {
  static func overrides(_ rows: [OverrideRow]) -> HTTPResponse {
    .object(
      ["overrides": JSONValue(rows) { $0.json }],
      headers: HTTPHeaders(tag: overrideTag(newest: rows.first)))
  }

  static func override(_ row: OverrideRow, isNew: Bool) -> HTTPResponse {
    isNew
      ? .object(row.json, status: 201, headers: HTTPHeaders(tag: overrideTag(newest: row)))
      : .object(row.json)
  }

  static func clockActions(_ page: ListPage<ClockActionRow>) -> HTTPResponse {
    .object([
      "clockActions": JSONValue(page.rows) { $0.json },
      "next": page.next.map { .string($0.cursor) },
    ])
  }

  static func correction(_ row: CorrectionRow, isNew: Bool) -> HTTPResponse {
    .object(JSONObject(row), status: isNew ? 201 : 200)
  }
}
