import CommandParsing
import ManagerOperations
import QREncoding
import ShiftDomain

let enrolCommand = Leaf(
  Command(
    "enrol", "create a one-time code for an employee's phone",
    options: [
      .text("expires", "how long the code works: `30m`, `24h`; at most 30d", default: "24h"),
      .text(
        "server", "URL at which the phone reaches guardd", default: "http://127.0.0.1:8080",
        environment: "SHIFTGUARD_SERVER"),
      .flag("qr", "also show a QR code for the phone"),
    ], arguments: [employeeArgument]),
  .operations(enrol))

private func enrol(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  let span = try call.span("expires", max: .hours(30 * 24))
  let server = try call.server("server")
  let code = try await operations.createEnrolmentCode(
    for: employee, validFor: span, by: call.principal)
  return Made(
    value: code.code,
    explanation: [
      "One-time code for the phone of employee \(employee.rawValue):", "", "  \(code.code)", "",
      "Valid for \(span.roughly), until \(code.expiresAt.text); it enrols one phone.",
      "Enter it in the app, or enrol by hand:", "",
      "  curl -X POST \(server)/v1/enrolments \\",
      #"    -d '{"code":"\#(code.code)","platform":"ios"}'"#,
    ],
    fields: [
      Field("employee", "employee", FieldValue(employee.rawValue)),
      Field("code", "code", .text(code.code)),
      Field("expires", "expiresAt", .instant(code.expiresAt)),
    ], picture: call.parsed.flag("qr") ? QRCode(server + code.link) : nil)
}
