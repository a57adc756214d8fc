import CommandParsing
import Guidance
import InsightOperations
import ManagerOperations
import ShiftDomain

let checkCommand = Leaf(
  Command(
    "check", "may this employee clock in, and if not, why",
    options: [
      .integer(
        "device", "the device; by default the one that tracks or was seen last",
        in: 1...32_767),
      presetOption("policy", "try this policy instead of the team's"),
      .choice(
        "language", "language of the remedies, as shown on the phone",
        among: Language.allCases.map(\.code), default: Language.english.code),
    ],
    arguments: [employeeArgument],
    footer: """
      Exit status off shift, and with --policy: 0 allow, 1 warn, 2 block or permission check due. \
      On shift it goes by tracking: 0 tracked or on a break, 1 at risk or waiting for a position, \
      2 not tracked. 3: unknown employee or device. `exitBy` of --json says which. Read-only.
      """),
  .operations(check))

private func check(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  let tried = try call.preset("policy")
  let device = call.optionalNumber("device").map { Int16(clamping: $0) }
  let check = try await operations.insight.check(employee: employee, device: device, preset: tried)
  return CheckAnswer(
    check: check, tried: tried, language: try call.coded("language", Language.self))
}
