import CommandParsing
import Guidance
import JSONText
import ShiftDomain
import ShiftOperations

/// `guardctl notification …`
let notificationCommands = Group(
  "notification", "messages that wait, and what became of them",
  Leaf(
    listCommand(
      "list waiting messages, the first due first",
      options: [
        .flag("finished", "those that left the outbox instead, newest first"),
        .flag("dead", "only those that reached nobody, newest first"),
        employeeOption("only this employee's"), limitOption,
      ]),
    .operations(listNotifications)),
  Leaf(
    Command(
      "show", "show the newest of a topic, its words and whom it reached",
      options: [
        .choice(
          "topic", "what it is about", among: NoticeTopic.allCases.map(\.code),
          default: NoticeTopic.incident.code)
      ],
      arguments: [
        .text("subject", "employee and incident, shift or tap it is about, such as `7/3`")
      ]),
    .operations(showNotification)),
  Leaf(
    Command(
      "retry", "send dead letters on their way again, and look at once at what waits",
      options: [employeeOption("only this employee's; else all dead letters")],
      footer: "What a message tells is asked again before anybody is told."),
    .operations(retryNotifications)))

private func listNotifications(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let employee = call.employee("employee")
  let deadOnly = call.parsed.flag("dead")
  guard deadOnly || call.parsed.flag("finished") else {
    let waiting = try await operations.notifications(of: employee, limit: call.limit)
    return Listing(rows: waiting.map(\.fields), whenEmpty: "No message waits.")
  }
  let finished = try await operations.finishedNotifications(
    of: employee, deadOnly: deadOnly, limit: call.limit)
  return Listing(
    rows: finished.map { $0.fields.map(\.shown) },
    whenEmpty: deadOnly ? "No dead letters." : "No message has left the outbox.")
}

private func showNotification(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (employee, number) = try call.pair("subject")
  let topic = try call.coded("topic", NoticeTopic.self)
  let waiting = try await operations.notifications(of: employee, limit: .max)
  let finished = try await operations.finishedNotifications(
    of: employee, deadOnly: false, limit: 1_000)
  let candidates = (waiting + finished).filter { $0.topic == topic && $0.subject == number }
  guard let row = candidates.max(by: { $0.ordinal < $1.ordinal }) else {
    let subject = "\(topic.words) \(employee.rawValue)/\(number)"
    throw OperationError.notFound(
      "message about \(subject) waits: see `guardctl notification list`")
  }
  let snapshot = try await operations.check(employee: employee, device: nil, preset: nil).snapshot
  let device = DeviceDescription(
    platform: snapshot?.platform ?? .unknown, osVersion: snapshot?.osVersion,
    maker: snapshot?.model)
  return MessageCard(
    row: row, text: noticeText(for: row.notice, report: snapshot?.report?.state, on: device),
    tries: try await operations.tries(of: row))
}

private func retryNotifications(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let count = try await operations.retryNotifications(of: call.employee("employee"))
  return Told(
    text: ["Sent \(count) dead \(count == 1 ? "letter" : "letters") on the way again."],
    json: .object(["redriven": JSONValue(Int32(clamping: count))]))
}
