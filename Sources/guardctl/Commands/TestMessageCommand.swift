import CommandParsing
import JSONText
import ShiftDomain
import ShiftOperations

/// `guardctl notification send-test`
let sendTestLeaf = Leaf(
  Command(
    "send-test", "send a message marked as a test, and tell who took it",
    options: [
      employeeOption("to this employee"),
      .choice(
        "channel", "only this way; else all that there are",
        among: [Rung.inApp, .push, .email].map(\.code)),
      .integer("team", "to all who are told for this team", in: numbers),
      .text("wait", "how long to wait for an answer", default: "30s", placeholder: "SPAN"),
    ],
    footer: """
      A running `guardd` sends it, by the ways that all messages take.
      Exit: 0 all took it, 3 no way to send it, 4 somebody did not take it,
      75 no answer in time: see whether `guardd` runs.
      """),
  .operations(sendTest))

/// How often it is looked for answers: those of another process signal nothing.
private let pause = Duration.milliseconds(200)

private func sendTest(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let wait = try call.span("wait", max: .minutes(5))
  let test: TestMessage
  switch (call.employee("employee"), call.optionalNumber("team")) {
  case (let employee?, nil):
    let rungs = call.parsed.string("channel") == nil ? nil : [try call.coded("channel", Rung.self)]
    test = try await operations.sendTest(to: employee, at: rungs ?? [.inApp, .push, .email])
  case (nil, let team?):
    guard call.parsed.string("channel") == nil else {
      throw Complaint.usage("`--channel` goes with `--employee`: a team is told by all its ways")
    }
    test = try await operations.sendTest(toManagersOf: TeamID(team))
  default: throw Complaint.usage("name whom to send it to: `--employee N` or `--team N`")
  }
  let end = ContinuousClock.now + .milliseconds(wait.milliseconds)
  var answers = try await operations.answers(to: test)
  while !answers.allSatisfy(\.isFinal), ContinuousClock.now < end {
    try await Task.sleep(for: pause)
    answers = try await operations.answers(to: test)
  }
  return TestReport(answers: answers)
}

/// Who took a test message.
private struct TestReport: Answer {
  var answers: [TestAnswer]

  private var listing: Listing {
    Listing(rows: answers.map(\.fields), whenEmpty: "")
  }

  func lines(on surface: Surface) -> [String] { listing.lines(on: surface) }

  var json: JSONValue { listing.json }

  var exitStatus: ExitStatus {
    if answers.contains(where: { $0.isFinal && $0.outcome != .accepted }) { return .untold }
    return answers.allSatisfy(\.isFinal) ? .done : .unanswered
  }
}

extension TestAnswer {
  fileprivate var fields: [Field] {
    [
      Field("by", "by", .text(way.channel?.code ?? way.rung.code)),
      Field("to", "to", FieldValue(way.place)),
      Field("answer", "outcome", .text(outcome?.code ?? (isFinal ? "untold" : "none yet"))),
      Field("reason", "reason", FieldValue(reason)),
    ]
  }
}
