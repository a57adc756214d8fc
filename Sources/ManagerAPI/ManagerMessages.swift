import APIMessages
import GuardRules
import JSONText
import ShiftDomain
import ShiftOperations

extension BoardLine {
  /// One line of `Board`. Nothing here says where anybody is.
  var message: JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "name": .string(name),
      "team": .object(["number": JSONValue(team.rawValue), "name": .string(teamName)]),
      "shift": shift.map { .object(JSONObject($0)) },
      "startedAt": startedAt.map { JSONValue($0) },
      "lastContactAt": lastContactAt.map { JSONValue($0) },
      "lastFixAt": lastFixAt.map { JSONValue($0) },
      "incidents": JSONValue(incidents) { JSONObject($0) },
    ]
  }
}
