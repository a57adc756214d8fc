import CommandParsing
import JSONText
import ManagerOperations
import PeopleOperations
import PhoneProtocols
import QREncoding
import ServiceSettings
import ShiftDomain

let enrolCommand = Leaf(
  Command(
    "enrol", "create a one-time code for an employee's phone, or a token for an app from a store",
    options: [
      .choice(
        "app", "enrol a phone with this app at once; it knows no codes, and is set up with a token",
        among: PhoneApp.allCases.map(\.code)),
      .choice("platform", "with `--app`: the phone's system", among: ["ios", "android"]),
      .text(
        "interval", "with `--app`: between two positions, if it is more than the team's",
        placeholder: "SPAN"),
      .text("expires", "how long the code works: `30m`, `24h`; at most 30d", default: "24h"),
      .text(
        "server", "URL at which phones reach guardd; by default its setting public-url",
        environment: "SHIFTGUARD_SERVER", placeholder: "URL"),
      .flag("qr", "also show a QR code for the phone"),
    ], arguments: [employeeArgument]),
  .operations(enrol))

private func enrol(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  let span = try call.span("expires", max: .hours(30 * 24))
  let server = try call.publicServer
  let wantsPicture = call.parsed.flag("qr")
  guard server != nil || !wantsPicture else {
    throw Complaint.usage(
      "a QR code needs the address of the service: add `--server URL`, or set `public-url` in "
        + call.settingsFile)
  }
  if let app = call.parsed.string("app").flatMap({ PhoneApp(code: $0) }) {
    return try await enrol(app, for: employee, at: server, call, operations)
  }
  let code = try await operations.people.createEnrolmentCode(
    for: employee, validFor: span, by: call.principal)
  return Made(
    value: code.code,
    explanation: [
      "One-time code for the phone of employee \(employee.rawValue):", "", "  \(code.code)", "",
      "Valid for \(span.roughly), until \(code.expiresAt.text); it enrols one phone.",
    ]
      + (server.map { byHand(code, at: $0) } ?? [
        "On the phone, open `/app` at the service's address, or your company's app.",
        "Enter it there.",
        "To see the whole address here, set `public-url` in \(call.settingsFile),",
        "or add `--server URL`.",
      ]),
    object: [
      "employee": JSONValue(employee.rawValue), "code": .string(code.code),
      "expiresAt": JSONValue(code.expiresAt), "link": .string(code.link),
      "address": server.map { .string($0 + code.link) },
    ], picture: wantsPicture ? server.flatMap { QRCode($0 + code.link) } : nil)
}

private func enrol(
  _ app: PhoneApp, for employee: EmployeeID, at server: String?, _ call: Invocation,
  _ operations: ManagerOperations
) async throws -> any Answer {
  guard let server else {
    throw Complaint.usage(
      "an app needs the address of the service: add `--server URL`, or set `public-url` in "
        + call.settingsFile)
  }
  guard let platform = call.parsed.string("platform").flatMap({ Platform(code: $0) }) else {
    throw Complaint.usage("`--app` needs `--platform ios` or `--platform android`")
  }
  let interval =
    call.parsed.string("interval") == nil
    ? nil : try call.span("interval", max: PhoneAppRequest.intervals.upperBound)
  let new = try await operations.people.enrol(
    PhoneAppRequest(app, on: platform, interval: interval), for: employee, by: call.principal)
  let setup = app.language.setup(
    for: PhoneAccount(
      origin: server, device: new.device, platform: new.platform, token: new.token,
      interval: new.interval))
  return Made(
    value: new.token,
    explanation: [
      "\(app.name) on device \(new.device.number) of employee \(employee.rawValue).", "",
    ] + lines(of: setup) + [
      "", "This contains the token of the phone, and is not shown again.",
    ],
    object: [
      "employee": JSONValue(employee.rawValue), "device": JSONValue(new.device.number),
      "app": JSONValue(word: app), "token": .string(new.token),
      "address": .string(server + app.path), "link": setup.link.map { .string($0) },
    ], picture: call.parsed.flag("qr") ? setup.link.flatMap { QRCode($0) } : nil)
}

private func lines(of setup: PhoneSetup) -> [String] {
  let link = setup.link.map { ["Open on the phone:", "", "  \($0)", "", "Or enter by hand:"] }
  return (setup.before.map { [$0, ""] } ?? []) + (link ?? ["Set in the app:"]) + [""]
    + setup.fields.map { "  \($0.name): \($0.value)" } + (setup.after.map { ["", $0] } ?? [])
}

private func byHand(_ code: NewEnrolmentCode, at server: String) -> [String] {
  [
    "The employee opens on the phone:", "", "  \(server)\(code.link)", "",
    "Or opens \(server)/app or your company's app, and enters the code.",
    "To enrol by hand, with ios, android or web for PLATFORM:", "",
    "  curl -X POST \(server)/v1/enrolments \\",
    #"    -d '{"code":"\#(code.code)","platform":"PLATFORM"}'"#,
  ]
}

extension Invocation {
  /// The address that phones use, from the command line, the environment or the settings of guardd.
  var publicServer: String? {
    get throws(Complaint) {
      if parsed.string("server") != nil { return try server("server") }
      guard let settings = serviceSettings else { return nil }
      if let fault = settings.read.fault(of: "public-url") { throw .usage(fault) }
      guard let text = settings.checked.publicURL else { return nil }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
  }
}
