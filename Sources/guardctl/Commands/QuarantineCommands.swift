import APIJSON
import CommandParsing
import InstallationOperations
import JSONText
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
        onlyTeamOption, sinceOption, limitOption,
      ], arguments: [onlyEmployeeArgument]),
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
  let page = try await operations.installation.quarantinePage(filter, limit: call.limit)
  return Listing(page.rows, whenEmpty: "No quarantined messages.")
}

private func replayQuarantine(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let employee = call.employee("employee")
  var replay = QuarantineReplay()
  repeat {
    replay += try await operations.installation.replayQuarantine(
      of: employee, after: replay.next, by: call.principal)
  } while replay.next != nil
  return Confirmation(
    text: [
      "Read: \(replay.read). Still unreadable: \(replay.unreadable). "
        + "Waiting for the end of a shift: \(replay.waiting). "
        + "Without contents: \(replay.withoutContents).",
      "New pings and reports: \(replay.stored).",
    ],
    json: .object(replay.json))
}

extension QuarantinedRow: Shown {
  var fields: [Field] {
    [
      Field("received", .instant(message.receivedAt)),
      Field("employee", FieldValue(place.device.employee.rawValue)),
      Field("name", .text(name)),
      Field("device", .text(place.device.text)),
      Field("phone app", .text(message.app.code)),
      Field("reason", .text(message.reason)),
      Field("bytes", .number(Int64(message.byteCount))),
      Field("contents kept", .truth(hasContents)),
    ]
  }
}
