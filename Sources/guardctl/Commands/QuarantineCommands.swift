import CommandParsing
import ManagerOperations
import ReadModels
import ShiftDomain

let quarantineCommands = Group(
  "quarantine", "messages of apps from a store that could not be read",
  brief: "unread app messages",
  Leaf(
    listCommand(
      "list quarantined messages, newest first",
      options: [
        .choice("app", "only of this app", among: PhoneApp.allCases.map(\.code)),
        .text("reason", "only with this reason, such as `unreadable timestamp`"),
        employeeOption("only this employee's"), onlyTeamOption, sinceOption, limitOption,
      ]),
    .operations(listQuarantine)),
  Leaf(
    Command(
      "replay", "read quarantined messages again, after an upgrade",
      options: [employeeOption("only this employee's; by default all"), byOption],
      footer: """
        What can be read now is stored with the time of its receipt. Nobody is notified, clocked \
        in or clocked out by it. What still cannot be read stays.
        """),
    .operations(replayQuarantine)))

private func listQuarantine(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  var filter = QuarantineFilter(of: call.employee("employee"))
  filter.scope = TeamScope().narrowed(to: try await call.onlyTeam(operations))
  filter.from = try await call.since(operations)
  filter.app = call.parsed.string("app") == nil ? nil : try call.coded("app", PhoneApp.self)
  filter.reason = call.parsed.string("reason")
  let page = try await operations.quarantinePage(filter, limit: call.limit)
  return Listing(rows: page.rows.map(\.fields), whenEmpty: "No quarantined messages.")
}

private func replayQuarantine(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let employee = call.employee("employee")
  var replay = QuarantineReplay()
  repeat {
    replay += try await operations.replayQuarantine(
      of: employee, after: replay.next, by: call.principal)
  } while replay.next != nil
  return Confirmation(
    text: [
      "Read: \(replay.read). Still unreadable: \(replay.unreadable). "
        + "Waiting for the end of a shift: \(replay.waiting). "
        + "Without contents: \(replay.withoutContents).",
      "New pings and reports: \(replay.stored).",
    ],
    json: [
      "read": .integer(Int64(replay.read)), "unreadable": .integer(Int64(replay.unreadable)),
      "waiting": .integer(Int64(replay.waiting)),
      "withoutContents": .integer(Int64(replay.withoutContents)),
      "stored": .integer(Int64(replay.stored)),
    ])
}

extension QuarantinedRow {
  fileprivate var fields: [Field] {
    [
      Field("received", "receivedAt", .instant(message.receivedAt)),
      Field("employee", "employee", FieldValue(place.device.employee.rawValue)),
      Field("name", "name", .text(name)),
      Field("device", "device", .text(place.device.text)),
      Field("phone app", "app", .text(message.app.code)),
      Field("reason", "reason", .text(message.reason)),
      Field("bytes", "bytes", .number(Int64(message.byteCount))),
      Field("contents kept", "hasContents", .truth(hasContents)),
    ]
  }
}
