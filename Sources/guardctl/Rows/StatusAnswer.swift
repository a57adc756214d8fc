import JSONText
import ManagerOperations

struct StatusAnswer: Answer {
  var status: InstallationStatus

  /// Scripts may wait for `done`: no other command works on another schema.
  var exitStatus: ExitStatus { isReady ? .done : .unavailable }

  func lines(on surface: Surface) -> [String] {
    let schema = Field("schema", "schemaVersion", .text("version \(status.schemaVersion)\(remedy)"))
    return (isReady ? [schema] + counts : [schema]).lines(on: surface)
  }

  var json: JSONValue {
    let versions = [
      Field("schema", "schemaVersion", FieldValue(status.schemaVersion)),
      Field("wanted", "schemaWanted", FieldValue(status.schemaWanted)),
    ]
    return (isReady ? versions + counts : versions).json
  }

  private var isReady: Bool { status.schemaVersion == status.schemaWanted }

  private var remedy: String {
    if isReady { return "" }
    return status.schemaVersion < status.schemaWanted
      ? ", guardctl needs \(status.schemaWanted): run `guardctl migrate`"
      : ", guardctl needs \(status.schemaWanted): use the guardctl that matches guardd"
  }

  private var counts: [Field] {
    [
      Field("postgres", "postgresVersion", .text(status.postgresVersion)),
      Field("teams", "teams", FieldValue(status.teams)),
      Field("employees", "employees", FieldValue(status.employees)),
      Field("devices", "devices", FieldValue(status.devices)),
      Field("open shifts", "openShifts", FieldValue(status.openShifts)),
      Field("open incidents", "openIncidents", FieldValue(status.openIncidents)),
      Field(
        "pending notifications", "notificationsWaiting", FieldValue(status.notificationsWaiting)),
      Field("oldest pending", "oldestNotificationAt", FieldValue(status.oldestNotificationAt)),
    ]
  }
}
