import ShiftDomain

@testable import Guidance

/// Every key with every device and every report.
func product<Key>(_ keys: [Key]) -> [(Key, DeviceDescription, PermissionState?)] {
  keys.flatMap { key in
    devices.flatMap { device in reports.map { (key, device, $0) } }
  }
}

/// Reads texts and collects their flaws. A text that was read before is not read again: few texts
/// are combined in very many ways.
struct Review {
  /// The flaws found, each with its place.
  private(set) var flaws: [String] = []
  private var seen: Set<String> = []
  private let language: Language
  private let ending: String

  init(of language: Language) {
    self.language = language
    ending = catalogue(of: language).phrases[.endsWithShift]
  }

  mutating func read(_ guidance: Guidance, severity: Severity, at place: () -> String) {
    guard let banner = guidance.banner, let remedy = guidance.remedies.first,
      guidance.remedies.count == 1
    else { return flaws.append("\(place()): no banner, or not one remedy") }
    read([banner.title, remedy.title], atMost: 60, at: place)
    read([banner.body, remedy.why], atMost: 240, at: place)
    readSteps(remedy.steps, at: place)
    expect(remedy.why.hasSuffix(ending), "the why does not say when tracking stops", at: place)
    expect(banner.body.contains(ending), "the banner does not say when tracking stops", at: place)
    expect(remedy.severity == severity, "wrong severity", at: place)
    expect(severity < .block || remedy.action != .none, "a block without an action", at: place)
  }

  mutating func read(_ notification: NotificationText, at place: () -> String) {
    read([notification.title], atMost: 60, at: place)
    read([notification.body], atMost: 240, at: place)
    readSteps(notification.steps, at: place)
    expect(notification.body.hasSuffix(ending), "does not say when tracking stops", at: place)
    expect(notification.action != .none, "a notification without an action", at: place)
  }

  /// Reads a notification for managers, who are not tracked.
  mutating func readForManagers(_ notification: NotificationText, at place: () -> String) {
    read([notification.title], atMost: 60, at: place)
    read([notification.body], atMost: 240, at: place)
    readSteps(notification.steps, at: place)
    expect(
      !notification.body.contains(ending), "says to managers when tracking stops", at: place)
    expect(notification.action != .none, "a notification without an action", at: place)
  }

  private mutating func readSteps(_ steps: [String], at place: () -> String) {
    expect(!steps.isEmpty, "no step", at: place)
    expect(Set(steps).count == steps.count, "a step twice", at: place)
    read(steps, atMost: 140, at: place)
  }

  private mutating func read(_ texts: [String], atMost limit: Int, at place: () -> String) {
    for text in texts where seen.insert("\(limit) \(text)").inserted {
      expect(text.count <= limit, "\(text.count) characters: \(text)", at: place)
      let flaw = flaw(of: text, in: language)
      expect(flaw == nil, "\(flaw ?? ""): \(text)", at: place)
    }
  }

  private mutating func expect(
    _ holds: Bool, _ flaw: @autoclosure () -> String, at place: () -> String
  ) {
    if !holds { flaws.append("\(place()): \(flaw())") }
  }
}

/// The flaw of a text for employees or managers, or `nil`.
func flaw(of text: String, in language: Language = .english) -> String? {
  if text.isEmpty { return "empty" }
  if text.contains("%") || text.contains("{") || text.contains("\\(") { return "placeholder" }
  if text.contains(#/[0-9][.,][0-9]/#) { return "coordinate" }
  if text.contains("  ") || text.first == " " || text.last == " " { return "spacing" }
  return language.blame.first { text.lowercased().contains($0) } ?? language.misprint(in: text)
}

extension Language {
  /// Words that blame or threaten, or the beginnings of such words.
  fileprivate var blame: [String] {
    switch self {
    case .english:
      ["refused", "you denied", "you disabled", "fault", "violat", "disciplin", "penal"]
    case .french:
      ["refusé", "votre refus", "faute", "infraction", "sanction", "disciplin", "pénal"]
    case .polish: ["odmów", "odmow", "winny", "winien", "narusz", "dyscyplin", "kary", "karę"]
    case .german: ["verweiger", "schuld", "verstoß", "verstoss", "disziplin", "strafe", "abmahn"]
    }
  }

  /// Technical words, or the beginnings of such words.
  var technicalWords: [String] {
    switch self {
    case .english: ["api", "gps", "permission", "authoriz", "coordinates", "server", "sdk"]
    case .french: ["gps", "permission", "autorisation", "coordonn", "serveur", "sdk"]
    case .polish: ["gps", "uprawnien", "autoryz", "współrzędn", "serwer", "sdk"]
    case .german: ["gps", "berechtigung", "autoris", "koordinat", "server", "sdk"]
    }
  }

  /// How a text violates this language's typography, or `nil`.
  fileprivate func misprint(in text: String) -> String? {
    switch self {
    case .english: return nil
    case .french:
      // A narrow no-break space stands inside quotation marks and before high punctuation.
      if text.contains(/[^\u{202F}][;:!?»]|«[^\u{202F}]/) { return "no narrow space" }
      return text.contains(/['"“”„]/) ? "foreign quotation marks" : nil
    case .polish: return text.quotes(between: "„", and: "”") ? nil : "foreign quotation marks"
    case .german: return text.quotes(between: "„", and: "“") ? nil : "foreign quotation marks"
    }
  }
}

extension String {
  /// Whether all its quotation marks are pairs of these.
  fileprivate func quotes(between opening: Character, and closing: Character) -> Bool {
    let marks = filter { "'\"„“”«»".contains($0) }
    let pair = String([opening, closing])
    return marks == String(repeating: pair, count: marks.count / 2)
  }
}
