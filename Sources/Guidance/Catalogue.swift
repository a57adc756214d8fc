import GuardRules
import ShiftDomain

/// All texts in one language. To translate, copy the folder `English` and replace the texts in
/// quotes: whole sentences without placeholders, which are only joined one after another.
struct Catalogue: Sendable {
  /// What is wrong; at most 60 characters.
  var titles: Texts<Finding>
  /// Why it matters: one sentence.
  var reasons: Texts<Finding>
  /// What to do: one action each.
  var steps: Texts<Step>
  var phrases: Texts<Phrase>
  /// What happened in the shift; at most 60 characters.
  var notificationTitles: Texts<IncidentKind>
  /// What that means for tracking: one or two sentences.
  var notificationBodies: Texts<IncidentKind>
  /// Why time was not tracked, in few words.
  var causes: Texts<CoverageReason>
  /// Labels of buttons; at most 24 characters.
  var actions: Texts<ActionCode>
  /// The report for a works council, and the hand-out for employees.
  var privacy: Texts<PrivacyText>
  /// How texts speak of the app, in each form that the language has, and what is left of that
  /// before a name: `Open the shift app.` becomes `Open Field Work.`
  var appForms: [(generic: String, before: String)]

  /// What to do, with the app's own name where the settings of the phone show it.
  func step(_ step: Step, on device: DeviceDescription) -> String {
    // That one is another app.
    step == .useShiftApp ? steps[step] : naming(steps[step], device.appName)
  }

  func naming(_ text: String, _ appName: String?) -> String {
    guard let appName else { return text }
    return appForms.reduce(text) { text, form in
      text.replacing(form.generic, with: form.before + appName)
    }
  }

  /// `sentence`, followed by the promise that every text makes: when tracking stops.
  func closing(_ sentence: String) -> String { sentence + " " + phrases[.endsWithShift] }

  /// The errors of the catalogue: keys without a text, and keys with two.
  var faults: [String] {
    titles.faults + reasons.faults + steps.faults + phrases.faults + notificationTitles.faults
      + notificationBodies.faults + causes.faults + actions.faults + privacy.faults
  }

  var all: [String] {
    titles.all + reasons.all + steps.all + phrases.all + notificationTitles.all
      + notificationBodies.all + causes.all + actions.all + privacy.all
  }
}

/// A dictionary literal. Tests find a repeated key; Swift's dictionary would stop the program.
struct Texts<Key: CaseIterable & Hashable & Sendable>: ExpressibleByDictionaryLiteral, Sendable {
  private var texts: [Key: String] = [:]
  private var repeated: [Key] = []

  init(dictionaryLiteral elements: (Key, String)...) {
    for (key, text) in elements {
      if texts.updateValue(text, forKey: key) != nil { repeated.append(key) }
    }
  }

  /// The text of `key`. INVARIANT: every catalogue has every key; `EveryTextTests` checks that.
  subscript(key: Key) -> String { texts[key] ?? "" }

  var faults: [String] {
    Key.allCases.filter { texts[$0] == nil }.map { "\(Key.self).\($0) is missing" }
      + repeated.map { "\(Key.self).\($0) is given twice" }
  }

  var all: [String] { Array(texts.values) }
}
