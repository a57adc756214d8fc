import JSONText
import ManagerOperations
import ReadModels
import ServiceSettings

struct StatusAnswer: Answer {
  var status: InstallationStatus

  /// Scripts may wait for `done`: no other command works on another schema.
  var exitStatus: ExitStatus { isReady ? .done : .unavailable }

  func lines(on surface: Surface) -> [String] {
    let schema = Field("schema", "schemaVersion", .text("version \(status.schemaVersion)\(remedy)"))
    return ([program, schema] + counts).lines(on: surface)
  }

  var json: JSONValue {
    let versions = [
      Field("schema", "schemaVersion", FieldValue(status.schemaVersion)),
      Field("wanted", "schemaWanted", FieldValue(status.schemaWanted)),
    ]
    return ([program] + versions + counts).json
  }

  private var program: Field { Field("guardctl", "guardctl", .text(Build.text)) }

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
      Field("postgres", "postgresVersion", .text(counts.postgresVersion)),
      Field("teams", "teams", FieldValue(counts.teams)),
      Field("employees", "employees", FieldValue(counts.employees)),
      Field("devices", "devices", FieldValue(counts.devices)),
      Field("open shifts", "openShifts", FieldValue(counts.openShifts)),
      Field("open incidents", "openIncidents", FieldValue(counts.openIncidents)),
      Field("pending notifications", "notificationsWaiting", FieldValue(counts.notifications)),
      Field("oldest pending", "oldestNotificationAt", FieldValue(counts.oldestNotificationAt)),
    ]
  }
}
