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
      let table = SeverityTable.table(of: preset)
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

  private func object(_ value: JSONValue) -> JSONObject? {
    if case .object(let object) = value { object } else { nil }
  }

  private func strings(_ value: JSONValue?) -> [String] {
    guard case .array(let elements) = value else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  private struct Missing: Error {}
}
