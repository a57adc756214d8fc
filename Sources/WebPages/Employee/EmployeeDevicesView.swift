import HTTPAPI
import HTTPServing
import PeopleOperations
import QREncoding
import ReadModels
import ShiftDomain

/// The tab *Devices*: the employee's phones, and enrolment codes for new ones.
struct EmployeeDevicesView: FormView {
  var frame: EmployeeFrame
  var devices: [DeviceRow]
  var clock: TeamClock
  /// A code that was just created, and the address for the app.
  var code: (code: NewEnrolmentCode, address: String)?
  /// An app that was just set up.
  var app: ShownPhoneApp?
  /// The phone whose revocation must be confirmed, and the open shift that it tracks.
  var revoking: DeviceRow?
  var tracked: ShiftRow?
  var fault: HTML?

  var page: Page {
    frame.page(
      .devices, fault: fault,
      """
      \(shownCode)\(shownApp)\(revocation)
      <div class="columns"><div>\(phones)</div>\(enrolment)</div>
      """)
  }

  private var shownCode: HTML? {
    code.map { code in
      """
      <section class="card code" aria-labelledby="code">
      \(QRCode(code.address)?.drawing(named: "QR code of the address beside it"))
      <div><h2 id="code">Enrolment code</h2>
      <p class="paper">\(frame.row.name), number \(frame.row.employee.rawValue)</p>
      <ol class="items steps"><li>Scan this QR code with the phone’s camera, or open \
      <code>\(code.address)</code> on the phone.
      <li>If your company has an app of its own, scan the QR code in it, or enter the code below.
      <li>Allow location, so that shifts can be tracked.</ol>
      \(phoneWarning(code.address))<p><strong id="code-text">\(code.code.code)</strong></p>
      <p class="aside">It enrols one phone, until \(clock.short(code.code.expiresAt)), and is not \
      shown again.</p>
      <p class="row"><button class="quiet small" data-copy="code-text" hidden>Copy code</button>\
      <button class="quiet small" data-print hidden>Print</button>\
      \(frame.row.email.map { sending(code, to: $0) })</p></div></section>
      """
    }
  }

  /// Opens the administrator's own e-mail program, so that the service keeps no code to send.
  private func sending(_ code: (code: NewEnrolmentCode, address: String), to email: String) -> HTML
  {
    let message = """
      Open this address on your phone, or enter the code \(code.code.code) in the app:
      \(code.address)

      It enrols one phone, until \(clock.short(code.code.expiresAt)). Allow location, so that \
      shifts can be tracked.
      """
    let link = mailLink(to: email, subject: "Your phone for ShiftGuard", body: message)
    return "<a class=\"button quiet small\" href=\"\(link)\">Send by e-mail</a>"
  }

  private var revocation: HTML? {
    revoking.map { device in
      let warning = tracked.map { shift -> HTML in
        """
        <p>It tracks shift \(shift.shift.number), which is open and stays open without it.</p>
        """
      }
      return Confirmation(
        question: "Revoke phone \(device.device.number)?",
        consequences: """
          \(warning)
          <p>This cannot be undone. The phone must be enrolled again with a new code.</p>
          """, button: "Revoke phone",
        action: "\(frame.path)/devices/\(device.device.number)/revoke",
        keep: Crumb(name: "Keep phone", path: "\(frame.path)/devices")
      ).card
    }
  }

  private var phones: HTML {
    let rows = devices.map { row -> HTML in
      let system = [row.platform.name, row.osVersion ?? "", row.phoneApp?.name ?? ""]
        .filter { !$0.isEmpty }
      let revoke: HTML = """
        <form method="post" action="\(frame.path)/devices/\(row.device.number)/revoke">\
        <button class="quiet small" aria-label="Revoke phone \(row.device.number)">\
        Revoke phone</button></form>
        """
      let access: HTML =
        if let end = row.revokedAt {
          "revoked \(clock.short(end))"
        } else {
          frame.mayEdit ? revoke : "allowed"
        }
      let model: HTML = "\(row.model ?? row.kind)"
      let name: HTML = frame.mayEdit ? "<a href=\"\(row.device.path)\">\(model)</a>" : model
      return """
        <tr><td class="number">\(row.device.number)<th scope="row">\
        \(name)<p class="aside">\(system.joined(separator: " "))</p>\
        <td>\(row.lastContactAt.map { clock.short($0) } ?? "no contact yet")<td>\(access)

        """
    }
    let none: HTML = """
      <p class="aside">No phone is enrolled yet.\
      \(frame.mayEdit ? "" : " An administrator can create an enrolment code.")</p>
      """
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="phones">\
      <table><thead><tr><th scope="col" class="number">Phone<th scope="col">Model\
      <th scope="col">Last contact<th scope="col">Access</thead>\(rows)</table></div>
      """
    return """
      <section aria-labelledby="phones"><h2 id="phones">Phones</h2>
      \(devices.isEmpty ? none : table)</section>
      """
  }

  private var enrolment: HTML? {
    guard frame.mayEdit, frame.isActive else { return nil }
    return """
      <div><section aria-labelledby="enrol"><h2 id="enrol">New phone</h2>
      <p class="aside">A code enrols one phone within 24 hours. Older codes stay valid.</p>
      <form method="post" action="\(frame.path)/devices/codes" class="stack"><div class="row">\
      <button>Create enrolment code</button></div></form></section>\(appForm)</div>
      """
  }
}
