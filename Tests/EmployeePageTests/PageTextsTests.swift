import GuardRules
import Guidance
import JSONText
import ShiftDomain
import Testing

@testable import EmployeePage

// R: B10
@Suite("The texts of the employee's page") struct PageTextsTests {
  @Test("Every language has every text exactly once", arguments: Language.allCases)
  func complete(_ language: Language) {
    let keys = PageTexts.own(in: language).map(\.key)
    #expect(Set(keys) == Set(PageText.allCases))
    #expect(keys.count == PageText.allCases.count)
    #expect(PageTexts.own(in: language).allSatisfy { !$0.value.isEmpty && !$0.value.contains("%") })
  }

  @Test("No text is left in English", arguments: Language.allCases.filter { $0 != .english })
  func translated(_ language: Language) {
    // Some words are the same in several languages.
    let shared: Set<PageText> = [
      .levelQuiet, .code, .menu, .note, .takeOver, .privacy, .shift, .work,
    ]
    let english = Dictionary(uniqueKeysWithValues: PageTexts.own(in: .english).map { ($0, $1) })
    for (key, text) in PageTexts.own(in: language) where !shared.contains(key) {
      #expect(text != english[key], "\(key)")
    }
  }

  @Test(
    "The page says the same as the server about every finding that a page can have",
    arguments: Language.allCases, Preset.allCases)
  func same(_ language: Language, _ preset: Preset) throws {
    let texts = try #require(object(PageTexts.json(in: language)))
    guard case .array(let findings) = texts["findings"] else { throw Missing() }
    #expect(findings.count == Finding.allCases.count)
    for value in findings {
      let finding = try #require(object(value))
      guard let code = finding["code"], case .string(let name) = code, finding["why"] != nil
      else { continue }
      let subject = try #require(Finding(code: name))
      let usual = SeverityTable.table(of: preset)
      let table = usual[subject] == .ignore ? usual.moving(subject, to: .block) : usual
      let report = PermissionState(
        authorization: subject == .denied
          ? .denied : subject == .notDetermined ? .notDetermined : .whenInUse,
        grantPath: subject == .denied ? .settings : subject == .notDetermined ? .prompt : .unknown)
      let wanted = try #require(
        guidance(
          for: Decision(FindingSet(subject), under: table), report: report,
          on: DeviceDescription(platform: .web), under: table, in: language
        ).remedies.first)
      let isStrict = wanted.severity == .block && table.blocking.contains(.whenInUse)
      let shown = isStrict ? object(finding["always"] ?? .null) ?? finding : finding
      var steps = strings(shown["steps"])
      if wanted.severity == .block { steps += strings(.array([texts["stuck"] ?? .null])) }
      #expect(shown["title"] ?? finding["title"] == .string(wanted.title))
      #expect(shown["why"] == .string(wanted.why), "\(name)")
      #expect(steps == wanted.steps, "\(name)")
      #expect(shown["action"] == .string(wanted.action.code), "\(name)")
    }
  }

  // R: G1, G3, G5
  @Test("The page names the nearest site and the time as the server", arguments: Language.allCases)
  func named(_ language: Language) throws {
    let texts = try #require(object(PageTexts.json(in: language)))
    guard case .array(let findings) = texts["findings"] else { throw Missing() }
    let center = try #require(Coordinate(latitude: 45, longitude: 13))
    let position = try #require(Coordinate(latitude: 45.0115, longitude: 13))
    let site = Site(number: 1, name: "Depot {}", center: center, radiusMeters: 100)
    let named = NamedPlaceAndTime(
      nearest: SiteDistance(of: ClockInPlace.Position(position), from: site),
      allowedFrom: Instant(milliseconds: 1), timeOfDay: "07:45")
    let names: [Finding: String] = [.offSite: "Depot {}, 1.3 km", .tooEarly: "07:45"]
    for value in findings {
      let shown = try #require(object(value))
      guard case .string(let code) = shown["code"], let finding = Finding(code: code),
        let name = names[finding]
      else {
        #expect(shown["namedWhy"] == nil)
        continue
      }
      guard case .string(let template) = shown["namedWhy"] else { throw Missing() }
      let table = SeverityTable(blocking: FindingSet(finding), warning: [])
      let wanted = guidance(
        for: Decision(FindingSet(finding), under: table), report: nil,
        on: DeviceDescription(platform: .web), under: table, naming: named, in: language)
      let parts = template.split(separator: "{}", omittingEmptySubsequences: false)
      try #require(parts.count == 2)
      let decimal = language == .english ? name : name.replacing("1.3", with: "1,3")
      #expect(wanted.remedies.first?.why == "\(parts[0])\(decimal)\(parts[1])")
    }
  }

  private func object(_ value: JSONValue) -> JSONObject? {
    if case .object(let object) = value { object } else { nil }
  }

  private func strings(_ value: JSONValue?) -> [String] {
    guard case .array(let elements) = value else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  private struct Missing: Error {}
}
