import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import NotificationOperations
import ShiftDomain

let sendTestLeaf = Leaf(
  Command(
    "send-test", "send a test notification and show the result of each channel",
    options: [
      employeeOption("to this employee"),
      .choice(
        "channel", "only by this channel; by default all",
        among: [EscalationStep.inApp, .push, .email].map(\.code)),
      .integer("team", "to all contacts of this team", in: numbers),
      waitOption("30s"),
      byOption,
    ],
    footer: """
      A running `guardd` sends it by its usual channels.
      Exit: 0 every channel accepted it, 3 no channel, 4 a channel did not accept it,
      75 no answer in time: check whether `guardd` is running.
      """),
  .operations(sendTest))

/// Time between polls for answers: `guardd` does not signal them to this process.
private let pause = Duration.milliseconds(200)

private func sendTest(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let wait = try call.span("wait", max: .minutes(5))
  let test: TestNotification
  switch (call.employee("employee"), call.optionalNumber("team")) {
  case (let employee?, nil):
    let steps =
      call.parsed.string("channel") == nil ? nil : [try call.coded("channel", EscalationStep.self)]
    test = try await operations.notifications.sendTest(
      to: employee, at: steps ?? [.inApp, .push, .email], by: call.principal)
  case (nil, let team?):
    guard call.parsed.string("channel") == nil else {
      throw Complaint.usage("`--channel` needs `--employee`: a team is notified by all channels")
    }
    test = try await operations.notifications.sendTest(
      toManagersOf: TeamID(team), by: call.principal)
  default: throw Complaint.usage("name a recipient: `--employee N` or `--team N`")
  }
  let end = ContinuousClock.now + .milliseconds(wait.milliseconds)
  var answers = try await operations.notifications.answers(to: test)
  while !answers.allSatisfy(\.isFinal), ContinuousClock.now < end {
    try await Task.sleep(for: pause)
    answers = try await operations.notifications.answers(to: test)
  }
  return TestReport(answers: answers)
}

private struct TestReport: Answer {
  var answers: [TestAnswer]

  func lines(on surface: Surface) -> [String] { answers.map(\.fields).lines(on: surface) }

  var json: JSONValue { JSONValue(answers) { $0.json } }

  var exitStatus: ExitStatus {
    if answers.contains(where: { $0.isFinal && $0.outcome != .accepted }) { return .notNotified }
    return answers.allSatisfy(\.isFinal) ? .done : .unanswered
  }
}

extension TestAnswer {
  fileprivate var fields: [Field] {
    [
      Field("channel", .text(way.channel?.code ?? way.step.code)),
      Field("to", FieldValue(way.place)),
      Field("answer", .text(outcome?.code ?? (isFinal ? "not_notified" : "none yet"))),
      Field("reason", FieldValue(reason)),
    ]
  }

  fileprivate var json: JSONObject {
    [
      "channel": .string(way.channel?.code ?? way.step.code),
      "to": way.place.map { .string($0) },
      "outcome": outcome.map { JSONValue(word: $0) },
      "final": .bool(isFinal),
      "reason": reason.map { .string($0) },
    ]
  }
}
