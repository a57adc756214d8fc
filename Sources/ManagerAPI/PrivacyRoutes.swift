import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerAccess
import PeopleOperations
import ReadModels
import ShiftDomain

/// JSON may need twelve bytes for a character.
private let privacyNoticeBytesMax = 262_144

extension ManagerController {
  /// Export and erasure of an employee, and the privacy notice.
  var privacyRoutes: [AccessRoute] {
    [
      route(
        .get, "/v1/employees/{employee}/export", .administrator, cost: .heavy,
        deadline: .seconds(120)
      ) { (request, principal) in
        if let refusal = try request.refusalOfRecordedRead(by: principal) { return refusal }
        return .archive(
          try await operations.people.archive(of: request.pathEmployee, by: principal))
      },
      route(.delete, "/v1/employees/{employee}", .administrator, deadline: .seconds(300)) {
        (request, principal) in
        try await operations.people.erase(
          request.pathEmployee, endsShift: request.flag("endShift"), by: principal
        ).get()
        return HTTPResponse(status: 204)
      },
      route(.get, "/v1/privacy-notice", .administrator) { (_, _) in
        guard let privacyNotice = try await operations.installation.privacyNotice() else {
          return HTTPResponse(status: 204)
        }
        return .object(privacyNotice.json)
      },
      route(.post, "/v1/privacy-notice", .administrator, bodyMax: privacyNoticeBytesMax) {
        (request, principal) in
        let fields = try request.fields()
        try fields.allow("text")
        let text = try fields.required("text", fields.text("text", min: 1, max: 20_000))
        return .object(try await operations.installation.setPrivacyNotice(text, by: principal).json)
      },
    ]
  }
}
