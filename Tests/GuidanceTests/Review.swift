import Guidance
import ShiftDomain

/// Every key with every device and every report.
func product<Key>(_ keys: [Key]) -> [(Key, DeviceDescription, PermissionState?)] {
  keys.flatMap { key in
    devices.flatMap { device in reports.map { (key, device, $0) } }
  }
}

/// Reads texts and notes what is wrong with them. A text that was read before is not read again:
/// few texts are put together in very many ways.
struct Review {
  /// What was found, each with where.
  private(set) var flaws: [String] = []
  private var seen: Set<String> = []

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

  mutating func read(_ notice: NoticeText, at place: () -> String) {
    read([notice.title], atMost: 60, at: place)
    read([notice.body], atMost: 240, at: place)
    readSteps(notice.steps, at: place)
    expect(notice.body.hasSuffix(ending), "does not say when tracking stops", at: place)
    expect(notice.action != .none, "a notice without an action", at: place)
  }

  /// A message to managers: nobody tracks them.
  mutating func readForManagers(_ notice: NoticeText, at place: () -> String) {
    read([notice.title], atMost: 60, at: place)
    read([notice.body], atMost: 240, at: place)
    readSteps(notice.steps, at: place)
    expect(!notice.body.contains(ending), "promises managers something of tracking", at: place)
    expect(notice.action != .none, "a notice without an action", at: place)
  }

  private let ending = "Tracking stops when your shift ends."

  private mutating func readSteps(_ steps: [String], at place: () -> String) {
    expect(!steps.isEmpty, "no step", at: place)
    expect(Set(steps).count == steps.count, "a step twice", at: place)
    read(steps, atMost: 140, at: place)
  }

  private mutating func read(_ texts: [String], atMost limit: Int, at place: () -> String) {
    for text in texts where seen.insert("\(limit) \(text)").inserted {
      expect(text.count <= limit, "\(text.count) characters: \(text)", at: place)
      expect(flaw(of: text) == nil, "\(flaw(of: text) ?? ""): \(text)", at: place)
    }
  }

  private mutating func expect(
    _ holds: Bool, _ flaw: @autoclosure () -> String, at place: () -> String
  ) {
    if !holds { flaws.append("\(place()): \(flaw())") }
  }
}

/// What is wrong with a text that people read, or `nil`.
func flaw(of text: String) -> String? {
  if text.isEmpty { return "empty" }
  if text.contains("%") || text.contains("{") || text.contains("\\(") { return "placeholder" }
  if text.contains(#/[0-9][.,][0-9]/#) { return "coordinate" }
  if text.contains("  ") || text.first == " " || text.last == " " { return "spacing" }
  let words = ["refused", "you denied", "you disabled", "fault", "violat", "disciplin", "penal"]
  return words.first { text.lowercased().contains($0) }
}
