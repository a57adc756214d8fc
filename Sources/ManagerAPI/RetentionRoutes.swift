import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

extension ManagerController {
  var retentionRoutes: [AccessRoute] {
    [
      route(.get, "/v1/retention", .administrator) { (_, _) in
        answer(try await operations.installation.retention())
      },
      route(.put, "/v1/retention", .administrator) { (request, principal) in
        let days = try request.fields().keptDays()
        return answer(
          try await operations.installation.setRetention(
            days, matching: request.matchedTags, by: principal
          ).get())
      },
    ]
  }

  private func answer(_ retention: Retention) -> HTTPResponse {
    .object(retention.json, headers: HTTPHeaders(tag: retention.tag))
  }
}

extension JSONFields {
  /// `Retention`, the body of `PUT /v1/retention`.
  fileprivate func keptDays() throws(BodyFault) -> [KeptKind: Int32] {
    try allow(KeptKind.allCases.map(\.code))
    let range = Int64(Retention.range.lowerBound)...Int64(Retention.range.upperBound)
    var days: [KeptKind: Int32] = [:]
    var input = Retention.standard
    for kind in KeptKind.allCases {
      input[kind] = Int32(try required(kind.code, integer(kind.code, in: range)))
      days[kind] = input[kind]
    }
    if let kind = input.outliving, let owner = kind.owner {
      throw BodyFault(at: place(kind.code), "must not be greater than `\(owner.code)`")
    }
    return days
  }
}
