import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain

enum AccountStatus {
  static func account(_ row: AccountRow, status: Int = 200) -> HTTPResponse {
    .object(
      row.json, status: status,
      headers: HTTPHeaders(
        tag: row.tag, location: status == 201 ? "/v1/accounts/\(row.account.rawValue)" : nil))
  }
}

extension Principal {
  var json: JSONObject {
    [
      "account": account.map { JSONValue($0.rawValue) },
      "name": .string(actor.name),
      "role": JSONValue(word: role),
      "teams": JSONValue(rightsOf: teams),
      "employee": actor.employee.map { JSONValue($0.rawValue) },
    ]
  }
}
