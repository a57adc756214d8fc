import HTTPAPI
import HTTPServing
import InstallationOperations
import PeopleOperations
import ReadModels
import ShiftDomain

struct PrivacyNoticeView: FormView {
  static let versionsMax = 20
  /// A form may need twelve bytes for a character.
  static let bytesMax = 262_144

  /// Newest first.
  var versions: [PrivacyNotice]
  var clock: TeamClock
  var zone: String
  var done: HTML?
  var fault: HTML?
  var typed: FormFields?
  /// The text to publish, which must be confirmed.
  var publishing: String?

  var page: Page {
    Page(
      setting: "Privacy notice",
      line: "<p>Employees receive it when they enrol, and confirm that they have read it</p>",
      done: done, fault: fault,
      """
      \(publication)
      <div class="columns even"><div>\(current)\(earlier)</div><div>\(form)</div></div>
      """)
  }

  private var publication: HTML? {
    publishing.map { text in
      let version = (versions.first?.version ?? 0) + 1
      return Confirmation(
        question: "Publish version \(version)?",
        consequences: """
          <p>Every employee is asked to read it. It cannot be changed or removed.</p>
          """, button: "Publish version \(version)", action: "/settings/privacy-notice",
        keep: Crumb(name: "Keep the current version", path: "/settings/privacy-notice"),
        fields: ["text": text]
      ).card
    }
  }

  private var current: HTML {
    guard let newest = versions.first else {
      return """
        <section aria-labelledby="current"><h2 id="current">Current version</h2>
        <p class="aside">No privacy notice yet.</p></section>
        """
    }
    return """
      <section aria-labelledby="current"><h2 id="current">Version \(newest.version)</h2>
      <p class="aside">Since \(clock.short(newest.createdAt)), time in \(zone)</p>
      <p class="plain">\(newest.text)</p></section>
      """
  }

  private var earlier: HTML? {
    guard versions.count > 1 else { return nil }
    let texts = versions.dropFirst().map { version -> HTML in
      """
      <details><summary>Version \(version.version), since \(clock.short(version.createdAt))\
      </summary><p class="plain">\(version.text)</p></details>

      """
    }
    return """
      <section aria-labelledby="earlier"><h2 id="earlier">Earlier versions</h2>
      \(texts)</section>
      """
  }

  private var form: HTML {
    """
    <section aria-labelledby="new"><h2 id="new">New version</h2>
    <form class="stack" method="post" action="/settings/privacy-notice">
    <label for="text">Text</label>\
    <textarea id="text" name="text" rows="16" maxlength="20000" required \
    aria-describedby="about-text">
    \(typed?["text"] ?? versions.first?.text)</textarea>
    <p class="aside" id="about-text">Plain text, 1 to 20,000 characters. A version cannot be \
    changed or removed. Every employee is asked to read the new version.</p>
    <div class="row"><button>Publish version</button></div></form></section>
    """
  }
}

extension PageController {
  var privacyNoticeRoutes: [AccessRoute] {
    [
      page("/settings/privacy-notice", .administrator) { request, _ in
        var view = try await privacyNoticeView()
        let version = request.queryValue("published").flatMap { Int32($0) }
        view.done = version.map { "Version \($0) published." }
        return .page(view.page)
      },
      form(
        "/settings/privacy-notice", .administrator, bodyMax: PrivacyNoticeView.bytesMax
      ) { _, fields, principal in
        var view = try await privacyNoticeView()
        view.typed = fields
        // Browsers send every line break as two characters.
        let text = fields["text"].replacing("\r\n", with: "\n")
        if text == view.versions.first?.text {
          return view.refused("The text is the same as in the current version.")
        }
        do {
          try operations.installation.checkPrivacyNotice(text)
          guard fields.isSure else {
            view.publishing = text
            return .page(view.page)
          }
          let version = try await operations.installation.setPrivacyNotice(text, by: principal)
            .version
          return .seeOther("/settings/privacy-notice?published=\(version)")
        } catch {
          return try view.refused(by: error)
        }
      },
    ]
  }

  private func privacyNoticeView() async throws -> PrivacyNoticeView {
    let zone = try await operations.people.teams().first?.timeZone ?? "UTC"
    return PrivacyNoticeView(
      versions: try await operations.installation.privacyNotices(
        limit: PrivacyNoticeView.versionsMax),
      clock: try TeamClock(zone: zone, now: settings.now()), zone: zone)
  }
}
