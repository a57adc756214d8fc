import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

enum ManagerStatus {
  /// A response that no cache may store and no page of another site may read.
  static func `private`(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
  }

  /// The same story that the employee reads, with their name.
  /// - Parameter visits: `nil`: they are not part of this answer.
  static func shift(_ details: ShiftDetails, visits: [SiteVisit]? = nil) -> HTTPResponse {
    .object(
      details.json(visits: visits),
      headers: HTTPHeaders(tag: details.times.tag))
  }

  static func opened(_ details: ShiftDetails, isNew: Bool) -> HTTPResponse {
    var answer = shift(details)
    answer.status = isNew ? 201 : 200
    return answer
  }

  static func policies(_ versions: [PolicyVersion], planned: PlannedPolicy?, of team: TeamID)
    -> HTTPResponse
  {
    let inForce = versions.lazy.map(\.row).first { $0.isInForce }
    var answer = HTTPResponse.object([
      "team": JSONValue(team.rawValue), "policies": JSONValue(versions) { $0.json },
      "planned": planned.flatMap { planned in
        inForce.map { .object(planned.json(after: $0)) }
      },
    ])
    if let inForce { answer.headers["ETag"] = "\"\(inForce.tag)\"" }
    return answer
  }

  static func policy(_ row: PolicyRow, isNew: Bool = false) -> HTTPResponse {
    .object(
      row.json, status: isNew ? 201 : 200,
      headers: HTTPHeaders(tag: row.tag, location: isNew ? row.path : nil))
  }
}

extension PolicyRow {
  fileprivate var path: String { "/v1/teams/\(team.rawValue)/policies/\(version)" }
}
