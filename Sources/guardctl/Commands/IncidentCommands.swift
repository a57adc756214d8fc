import CommandParsing
import Guidance
import ShiftDomain
import ShiftOperations

/// `guardctl incident …`
let incidentCommands = Group(
  "incident", "when tracking was impaired, and why",
  Leaf(
    listCommand(
      "list incidents, newest first",
      options: [employeeOption("only this employee's"), openOption, limitOption]),
    .operations(listIncidents)),
  Leaf(
    Command(
      "show", "show one incident",
      arguments: [.text("incident", "employee and incident, such as `7/3`")]),
    .operations(showIncident)))

/// `guardctl notification …`
let notificationCommands = Group(
  "notification", "messages that wait to be delivered",
  Leaf(
    listCommand(
      "list waiting messages, the first due first",
      options: [employeeOption("only this employee's"), limitOption]),
    .operations(listNotifications)),
  Leaf(
    Command(
      "show", "show the newest of a topic with the words that will be read",
      options: [
        .choice(
          "topic", "what it is about", among: NoticeTopic.allCases.map(\.code),
          default: NoticeTopic.incident.code)
      ],
      arguments: [
        .text("subject", "employee and incident, shift or tap it is about, such as `7/3`")
      ]),
    .operations(showNotification)))

private func listIncidents(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let incidents = try await operations.incidents(
    of: call.employee("employee"), openOnly: call.parsed.flag("open"), limit: call.limit)
  return Listing(rows: incidents.map(\.fields), whenEmpty: "No incidents.")
}

private func showIncident(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let (employee, number) = try call.pair("incident")
  let incident = IncidentID(employee: employee, number: number)
  return Card(fields: try await operations.incident(incident).fields)
}

private func listNotifications(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let waiting = try await operations.notifications(of: call.employee("employee"), limit: call.limit)
  return Listing(rows: waiting.map(\.fields), whenEmpty: "No message waits.")
}

private func showNotification(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (employee, number) = try call.pair("subject")
  let topic = try call.coded("topic", NoticeTopic.self)
  let waiting = try await operations.notifications(of: employee, limit: .max)
  guard let row = waiting.last(where: { $0.topic == topic && $0.subject == number }) else {
    let subject = "\(topic.words) \(employee.rawValue)/\(number)"
    throw OperationError.notFound(
      "message about \(subject) waits: see `guardctl notification list`")
  }
  let snapshot = try await operations.check(employee: employee, device: nil, preset: nil).snapshot
  let device = DeviceDescription(
    platform: snapshot?.platform ?? .unknown, osVersion: snapshot?.osVersion,
    maker: snapshot?.model)
  return MessageCard(
    row: row, text: noticeText(for: row.notice, report: snapshot?.report?.state, on: device))
}
