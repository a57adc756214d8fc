import APIJSON
import GuardRules
import Guidance
import HTTPAPI
import JSONText
import ShiftDomain

/// Every text of the page in one language: its own, and what `Guidance` says to a web page, so that
/// the page can put the decision of its own rules into words without the server.
enum PageTexts {
  static func own(in language: Language) -> KeyValuePairs<PageText, String> {
    switch language {
    case .english: english
    case .french: french
    case .polish: polish
    case .german: german
    }
  }

  /// Texts of the page before its script runs.
  static let beforeScript: Set<PageText> = [.needsScript, .noTexts]

  /// The fields of the page that are in all languages at once. Markup, without user input.
  static var shell: [String: String] {
    func all(_ key: PageText) -> [(code: String, text: String)] {
      Language.allCases.map { language in
        (language.code, own(in: language).first { $0.key == key }?.value ?? "")
      }
    }
    return [
      "languages": Language.allCases.map {
        "<option value=\"\($0.code)\" lang=\"\($0.code)\">\($0.names.own)</option>"
      }.joined(separator: "\n"),
      "withoutScript": all(.needsScript).map { "<p lang=\"\($0.code)\">\($0.text)</p>" }
        .joined(separator: "\n"),
      "withoutTexts": all(.noTexts).map(\.text).joined(separator: " · "),
    ]
  }

  static func json(in language: Language) -> JSONValue {
    let asking = advice(about: .notDetermined, under: .standard, in: language)
    let standard = Policy.policy(of: .standard)
    return .object([
      "language": .string(language.code),
      "page": object(
        own(in: language).filter { !beforeScript.contains($0.key) }
          .map { ($0.key.rawValue, $0.value) }),
      "actions": object(buttons.map { ($0.code, $0.label(in: language)) }),
      "findings": .array(Finding.allCases.sorted().map { .object(finding($0, in: language)) }),
      "levels": .object(levels(in: language)),
      "ready": .object(ready(in: language)),
      "stuck": .string(asking.remedies.first?.steps.last ?? ""),
      "explanation": JSONObject(asking)["explanation"] ?? .null,
      // The rules in the page decide by these until the server has named those of the team.
      "standard": .object([
        "freshFor": .integer(standard.freshFor.seconds),
        "blocking": codes(standard.severities.blocking),
        "warning": codes(standard.severities.warning),
        "ignored": codes(standard.severities.ignored),
      ]),
    ])
  }
}

extension PageTexts {
  /// The actions that a page can do; for every other it shows the steps.
  private static let buttons: [ActionCode] = [.requestPermission, .sendReport, .sendFix, .takeOver]

  /// The findings that the page's own, fresh evidence can have. Others come only from the server,
  /// with its texts; the page needs their titles for lists.
  private static let possible: [Finding] = [
    .denied, .notDetermined, .unreadable, .accuracyReduced, .whenInUse, .servicesUnknown,
    .clockWrong, .siteUnknown, .offSite, .notPlanned, .tooEarly,
  ]

  /// Nothing blocks or warns, and nothing is ignored.
  private static let onlyAdvice = SeverityTable(blocking: [], warning: [])

  /// Where the page puts the nearest site with its distance, or a time.
  private static let gap = "{}"

  private static func finding(_ finding: Finding, in language: Language) -> JSONObject {
    // Where nothing blocks, there is no step that says who can help.
    let plain = advice(about: finding, under: onlyAdvice, in: language).remedies.first
    let head: JSONObject = [
      "code": .string(finding.code), "bit": .integer(Int64(finding.rawValue)),
      "title": .string(plain?.title ?? ""),
      "isNotable": SeverityTable.standard[finding] > .advice ? .bool(true) : nil,
    ]
    guard possible.contains(finding), let plain else { return head }
    let installed = advice(about: finding, under: onlyAdvice, isInstalled: true, in: language)
      .remedies.first?.steps
    return head.adding(texts(of: plain)).adding([
      "namedWhy": namedReason(of: finding, differingFrom: plain, in: language)
        .map { .string($0) },
      "installedSteps": installed == plain.steps ? nil : installed.map(strings),
      "always": strict(finding, differingFrom: plain, in: language).map { .object($0) },
    ])
  }

  /// What the server says where it names a site or a time, with a gap in its place; `nil` if it
  /// names none.
  private static func namedReason(
    of finding: Finding, differingFrom plain: Remedy, in language: Language
  ) -> String? {
    let center = Coordinate(latitude: 0, longitude: 0)
    let nearest = center.flatMap {
      SiteDistance(
        of: ClockInPlace.Position($0),
        from: Site(number: 1, name: gap, center: $0, radiusMeters: 1))
    }
    let named = NamedPlaceAndTime(
      nearest: nearest, allowedFrom: Instant(milliseconds: 0), timeOfDay: gap)
    let reason = advice(about: finding, under: onlyAdvice, naming: named, in: language)
      .remedies.first?.why
    guard let reason, reason != plain.why else { return nil }
    // The distance, which follows the name, belongs to the gap.
    return reason.split(separator: "\(gap), 0 m", omittingEmptySubsequences: false)
      .joined(separator: gap)
  }

  /// The texts where only *Always* is enough, which no page has; `nil` if they are the same.
  private static func strict(
    _ finding: Finding, differingFrom plain: Remedy, in language: Language
  ) -> JSONObject? {
    guard
      var remedy = advice(about: finding, under: .strict, in: language).remedies.first,
      remedy.severity == .block
    else { return nil }
    // The page adds the last step to every blocking finding.
    remedy.steps.removeLast()
    let isSame = remedy.steps == plain.steps && remedy.why == plain.why
    return isSame ? nil : texts(of: remedy).adding(["title": .string(remedy.title)])
  }

  private static func texts(of remedy: Remedy) -> JSONObject {
    [
      "why": .string(remedy.why), "steps": strings(remedy.steps),
      "action": .string(remedy.action.code),
    ]
  }

  /// The last sentence of the banner, by its level: what follows the reason of the finding.
  private static func levels(in language: Language) -> JSONObject {
    func sentence(_ finding: Finding, _ table: SeverityTable) -> JSONValue {
      let advice = advice(about: finding, under: table, in: language)
      let reason = advice.remedies.first?.why ?? ""
      return .string(String((advice.banner?.body ?? "").dropFirst(reason.count + 1)))
    }
    return [
      "required": sentence(.denied, .standard), "suggestion": sentence(.whenInUse, .standard),
      "optional": sentence(.denied, .advisory), "quiet": sentence(.servicesUnknown, .standard),
    ]
  }

  private static func ready(in language: Language) -> JSONObject {
    let banner = advice(about: nil, under: .standard, in: language).banner
    return ["title": .string(banner?.title ?? ""), "body": .string(banner?.body ?? "")]
  }

  /// What the server says to a web page about one finding, or about none.
  private static func advice(
    about finding: Finding?, under table: SeverityTable, isInstalled: Bool = false,
    naming named: NamedPlaceAndTime? = nil, in language: Language
  ) -> Guidance {
    let device = DeviceDescription(platform: .web, maker: isInstalled ? "(installed)" : nil)
    return guidance(
      for: Decision(finding.map { FindingSet($0) } ?? [], under: table),
      report: PermissionState(reportedWith: finding), on: device, under: table, naming: named,
      in: language)
  }

  private static func object(_ texts: [(name: String, text: String)]) -> JSONValue {
    .object(JSONObject(texts.map { JSONObject.Member(name: $0.name, value: .string($0.text)) }))
  }

  private static func strings(_ texts: [String]) -> JSONValue {
    .array(texts.map { .string($0) })
  }

  private static func codes(_ findings: FindingSet) -> JSONValue {
    .array(findings.ranked.map { .string($0.code) })
  }
}

extension PermissionState {
  /// A state as a page would report it with `finding`: after a denial only the settings help.
  fileprivate init(reportedWith finding: Finding?) {
    switch finding {
    case .denied: self.init(authorization: .denied, grantPath: .settings)
    case .notDetermined: self.init(authorization: .notDetermined, grantPath: .prompt)
    default: self.init(authorization: .whenInUse)
    }
  }
}
