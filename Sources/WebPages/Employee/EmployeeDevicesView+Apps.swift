import Cryptography
import HTTPAPI
import PeopleOperations
import PhoneProtocols
import QREncoding
import ShiftDomain

// Apps from a store that send in their own protocols. They know no enrolment codes.

/// An app that was just set up, and what is entered in it.
struct ShownPhoneApp: Sendable {
  var new: NewPhoneApp
  var setup: PhoneSetup
  /// How many of the team's sites the app cannot watch.
  var sitesLeftOut: Int

  /// - Parameters:
  ///   - origin: Of this service, as phones reach it.
  ///   - sites: By whose borders the employee clocks in and out.
  init(_ new: NewPhoneApp, at origin: String, sites: [Site]) {
    self.new = new
    setup = new.app.language.setup(
      for: PhoneAccount(
        origin: origin, device: new.device, platform: new.platform, token: new.token,
        interval: new.interval,
        regions: sites.map {
          PhoneRegion(name: $0.name, center: $0.center, radiusMeters: $0.radiusMeters)
        }))
    sitesLeftOut = max(sites.count - OwnTracks.regionsMax, 0)
  }
}

extension EmployeeDevicesView {
  var shownApp: HTML? {
    app.map { shown in
      """
      <section class="card code" aria-labelledby="app">
      \(shown.setup.link.flatMap { QRCode($0)?.drawing(named: "QR code of the link beside it") })
      <div><h2 id="app">\(shown.new.app.name) on phone \(shown.new.device.number)</h2>
      <p class="paper">\(frame.row.name), number \(frame.row.employee.rawValue)</p>
      \(opening(shown.setup))<dl class="facts">\(fields(of: shown.setup))</dl>
      \(shown.setup.after.map { "<p>\($0)</p>" as HTML })\
      \(shown.new.platform == .android ? shown.setup.file.map(download) : nil)
      <p class="aside">This contains the token of the phone and is not shown again. Whoever has \
      it can send in the name of \(frame.row.name).\(addressWarning(shown.new.app))</p>
      \(leftOut(shown.sitesLeftOut))\
      <p class="row"><button class="quiet small" data-print hidden>Print</button></p>
      </div></section>
      """
    }
  }

  private func opening(_ setup: PhoneSetup) -> HTML? {
    setup.link.map { link in
      let before = setup.before.map { "\($0) " as HTML }
      guard QRCode(link) != nil else {
        return """
          <p>\(before)With so many sites, the link is too long for a QR code. Send it to the phone \
          and open it there:</p><p><code id="app-link">\(link)</code></p>\
          <p class="row"><button class="quiet small" data-copy="app-link" hidden>Copy link</button>\
          </p><p>Without the sites, enter by hand:</p>
          """
      }
      return """
        <p>\(before)Scan the QR code with the phone’s camera, or open \
        <a href="\(link)">this link</a> on the phone. Or enter by hand:</p>
        """
    }
  }

  /// Android's app imports it without being allowed to open links.
  private func download(_ file: PhoneSetup.File) -> HTML {
    """
    <p>You can also save <a download="\(file.name)" \
    href="data:application/json;base64,\(Base64.encode(file.content))">all of this as a file</a>, \
    send it to the phone, and open it in Preferences, “Configuration management”, “Import”. Delete \
    the file afterwards.</p>
    """
  }

  private func leftOut(_ sites: Int) -> HTML? {
    guard sites > 0 else { return nil }
    return """
      <p class="aside">A phone watches at most \(OwnTracks.regionsMax) sites for an app: the \
      newest \(sites) of the team are left out.</p>
      """
  }

  private func fields(of setup: PhoneSetup) -> [HTML] {
    setup.fields.map { field in
      "<div><dt>\(field.name)<dd><code>\(field.value)</code></div>"
    }
  }

  private func addressWarning(_ app: PhoneApp) -> HTML? {
    guard app == .traccar else { return nil }
    return """
       The app sends the token as its identifier, in the address. ShiftGuard does not log it; \
      make sure that a proxy in front of it does not.
      """
  }

  /// The form for another one.
  var appForm: HTML {
    let apps = HTML.options(PhoneApp.allCases) { "\($0.name)" }
    return """
      <section aria-labelledby="new-app"><h2 id="new-app">App from a store</h2>
      <p class="aside">An app that exists already sends positions. The employee clocks in on the \
      page for employees, and the app tracks the shift.</p>
      <form method="post" action="\(frame.path)/devices/apps" class="stack">
      <label for="app-name">App</label><select id="app-name" name="app">\(apps)</select>
      <label for="platform">Phone</label><select id="platform" name="platform">\
      <option value="ios">iPhone<option value="android">Android</select>
      <label for="interval">Seconds between two positions</label>\
      <input id="interval" name="interval" inputmode="numeric" \
      aria-describedby="about-interval">
      <p class="aside" id="about-interval">Leave empty for the team’s interval. With a longer \
      one, the app counts as silent later.</p>
      <label class="tick choice"><input type="checkbox" name="sites" value="yes" \
      aria-describedby="about-sites"> Clock in and out by arriving at and leaving the sites</label>
      <p class="aside" id="about-sites">OwnTracks only: the team’s sites become regions of the \
      app. The employee still clocks in by hand elsewhere.</p>
      <div class="row"><button>Set up app</button></div></form></section>
      """
  }
}
