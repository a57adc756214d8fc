import CivilTime
import Guidance
import ReadModels
import ShiftDomain

/// What a contact is notified of, and when not: the fields of a form.
struct ContactChoicesForm: Sendable {
  var contact: TeamContact
  /// Where the form is sent.
  var action: String
  /// What was typed before it was refused.
  var typed: FormFields?
  /// Tells it from the forms of other teams on the same page.
  var scope: Int32 = 0
  /// Whether it is an account, which may have browsers.
  var isAccount = false

  /// Closed, unless it was refused.
  var html: HTML {
    let id: HTML = "choices-\(scope)-\(contact.number)"
    return """
      <details\(" open", if: typed != nil)><summary>Topics and quiet hours</summary>
      <form class="stack" method="post" action="\(action)">\
      <input type="hidden" name="choices" value="on">
      <fieldset><legend>Notify about</legend>\(offered.map { tick($0) })</fieldset>
      \(isAccount ? ways : nil)\
      <fieldset><legend>Quiet hours, in the time zone of the team</legend>
      <p class="aside" id="\(id)-about">What falls in them waits, and is sent at their end if it \
      still holds. Leave both empty for none.</p>
      <label for="\(id)-from">From</label>\
      <input id="\(id)-from" name="from" type="time" aria-describedby="\(id)-about" \
      value="\(typed?["from"] ?? contact.choices.quiet?.fromText)">
      <label for="\(id)-until">Until</label>\
      <input id="\(id)-until" name="until" type="time" aria-describedby="\(id)-about" \
      value="\(typed?["until"] ?? contact.choices.quiet?.untilText)">
      <label class="tick"><input type="checkbox" name="urgent" value="on"\
      \(" checked", if: isUrgentTicked)><span>Urgent notifications do not wait</span></label>
      </fieldset>
      \(contact.channel.hasReaders ? languages(id) : nil)\
      <div class="row"><button>Save choices</button></div></form></details>
      """
  }

  private var offered: [ContactTopic] {
    ContactTopic.allCases.filter { $0 != .weeklyDigest || contact.channel.hasReaders }
  }

  private func tick(_ topic: ContactTopic) -> HTML {
    let isTicked = typed.map { $0.all("topic").contains(topic.code) } ?? contact.gets(topic)
    return """
      <label class="tick"><input type="checkbox" name="topic" value="\(topic.code)"\
      \(" checked", if: isTicked)><span>\(topic.label)</span></label>

      """
  }

  private var ways: HTML {
    let chosen = typed.map { ContactWays($0) } ?? contact.choices.ways
    let ticks = ContactWay.allCases.map { way -> HTML in
      """
      <label class="tick"><input type="checkbox" name="way" value="\(way.code)"\
      \(" checked", if: chosen.contains(ContactWays(way)))><span>\(way.label)</span></label>

      """
    }
    return """
      <fieldset><legend>Send by</legend><input type="hidden" name="ways" value="on">\(ticks)
      <p class="aside">The weekly digest always comes by e-mail, and everything does as long as \
      alerts are on in no browser.</p></fieldset>

      """
  }

  private var isUrgentTicked: Bool {
    typed.map { $0["urgent"] == "on" } ?? contact.choices.quiet?.letsUrgentPass ?? false
  }

  private func languages(_ id: HTML) -> HTML {
    .languages(id: "\(id)-language", chosen: typed?["language"] ?? contact.language)
  }
}

extension HTML {
  /// The choice of the language of a contact's texts.
  static func languages(id: HTML, chosen: String) -> HTML {
    """
    <label for="\(id)">Language of the notifications</label>\
    <select id="\(id)" name="language">\
    \(options(Language.allCases, chosen: chosen) { "\($0.names.english)" })</select>

    """
  }

  /// A button that looks like a tick and needs no script: whether an account is a contact.
  static func contactTick(
    _ name: HTML, isTicked: Bool, of whom: String, action: String, back: String? = nil
  ) -> HTML {
    """
    <form method="post" action="\(action)">\
    <input type="hidden" name="contact" value="\(isTicked ? "off" : "on")">\
    \(back.map { "<input type=\"hidden\" name=\"back\" value=\"\($0)\">" as HTML })\
    <button class="quiet small" aria-pressed="\(isTicked ? "true" : "false")" \
    aria-label="\(name): \(whom)">\(name)</button></form>
    """
  }
}

extension ContactChoices {
  /// The choices that were sent; `nil` if the quiet hours are no two different times.
  init?(_ fields: FormFields) {
    var topics: ContactTopics = []
    for topic in fields.all("topic").compactMap({ ContactTopic(code: $0) }) {
      topics.insert(ContactTopics(topic))
    }
    self.init(topics: topics, ways: ContactWays(fields))
    guard !fields["from"].isEmpty || !fields["until"].isEmpty else { return }
    let given = QuietHours(
      from: fields["from"], until: fields["until"], letsUrgentPass: fields["urgent"] == "on")
    guard let given else { return nil }
    quiet = given
  }

  static let unreadableQuietHours: HTML =
    "Enter two different times as quiet hours, such as 22:00 and 06:00, or leave both empty."
}

extension ContactWay {
  fileprivate var label: HTML {
    switch self {
    case .email: "E-mail"
    case .browser: "Alerts in browsers"
    }
  }
}

extension ContactWays {
  /// All for a contact that has no such choice.
  fileprivate init(_ fields: FormFields) {
    guard fields["ways"] == "on" else {
      self = .all
      return
    }
    self = []
    for way in fields.all("way").compactMap({ ContactWay(code: $0) }) { insert(ContactWays(way)) }
  }
}

extension TeamContact {
  /// Takes what was sent with the form of its choices.
  func changed(to choices: ContactChoices, language: String) -> TeamContact {
    var changed = self
    changed.choices = choices
    if channel.hasReaders, let known = Language(code: language) { changed.language = known.code }
    return changed
  }
}
