import APIJSON
import JSONText
import ReadModels
import ServiceSettings

struct StatusAnswer: Answer {
  var status: InstallationStatus

  /// Scripts may wait for `done`: no other command works on another schema.
  var exitStatus: ExitStatus { isReady ? .done : .unavailable }

  func lines(on surface: Surface) -> [String] {
    let schema = Field("schema", .text("version \(status.schemaVersion)\(remedy)"))
    return ([program, schema] + counts).lines(on: surface)
  }

  var json: JSONValue { .object(JSONObject(status).adding(["guardctl": .string(Build.text)])) }

  private var program: Field { Field("guardctl", .text(Build.text)) }

  private var isReady: Bool { status.schemaVersion == status.schemaWanted }

  private var remedy: String {
    if isReady { return "" }
    return status.schemaVersion < status.schemaWanted
      ? ", guardctl needs \(status.schemaWanted): run `guardctl migrate`"
      : ", guardctl needs \(status.schemaWanted): use the guardctl that matches guardd"
  }

  private var counts: [Field] {
    guard let counts = status.counts else { return [] }
    return [
      Field("postgres", .text(counts.postgresVersion)),
      Field("teams", FieldValue(counts.teams)),
      Field("employees", FieldValue(counts.employees)),
      Field("devices", FieldValue(counts.devices)),
      Field("open shifts", FieldValue(counts.openShifts)),
      Field("open incidents", FieldValue(counts.openIncidents)),
      Field("pending notifications", FieldValue(counts.notifications)),
      Field("oldest pending", FieldValue(counts.oldestNotificationAt)),
    ]
  }
}
