import Guidance
import ReadModels
import ShiftDomain

extension EmployeeView {
  /// How to reach the employee. An e-mail programme and a phone open such addresses.
  var contact: HTML {
    let (number, email) = (frame.row.phoneNumber, frame.row.email)
    let calls = number.map { number -> HTML in
      """
      <li><p>\(number)</p><p class="row"><a class="button" href="tel:\(dialled(number))">Call</a>\
      <a class="button quiet" href="sms:\(dialled(number))">Text</a></p>
      """
    }
    let mail = email.map { email -> HTML in
      """
      <li><p>\(email)</p>\
      <p class="row"><a class="button quiet" href="\(mailLink(to: email))">E-mail</a></p>
      """
    }
    let none: HTML = "<li><p class=\"aside\">No phone number and no e-mail address.</p>"
    let edit: HTML = """
      <p><a href="\(EmployeeTab.data.path(of: frame.row.employee))">Edit details</a></p>
      """
    return """
      <section aria-labelledby="contact"><h2 id="contact">Details</h2>
      <ul class="given">\(calls)\(mail)\(number == nil && email == nil ? none : nil)\
      <li><p>Notifications in \(language.names.english)</p>\(chosen)</ul>
      \(frame.mayEdit ? edit : nil)\(reminder)</section>
      """
  }

  /// Offered while an interruption is open. A refusal is shown here.
  private var reminder: HTML? {
    let isRefused = refused?.form == .reminder
    let isWanted =
      frame.row.openShift != nil
      && (check.trackingState.value == .notTracked || check.trackingState.value == .atRisk)
    guard isRefused || (isWanted && !waitsForConfirmation) else { return nil }
    return """
      <form method="post" action="\(path)/reminders#contact" class="stack">
      \(isRefused ? refused.map { .fault($0.fault) } : nil)
      <div class="row"><button class="quiet">Send reminder</button></div>
      <p class="aside">By push or e-mail: what is wrong, and how to restore tracking.</p></form>
      """
  }

  private var phoneLanguage: Language? {
    let others = devices.filter { $0.revokedAt == nil }
      .sorted { ($0.lastContactAt ?? $0.enrolledAt) > ($1.lastContactAt ?? $1.enrolledAt) }
    return others.lazy.compactMap(\.language).compactMap { Language(code: $0) }.first
  }

  private var language: Language { phoneLanguage ?? .english }

  private var chosen: HTML {
    phoneLanguage == nil
      ? "<p class=\"aside\">No phone has chosen a language yet.</p>"
      : "<p class=\"aside\">The language of the phone used last.</p>"
  }
}
