import GuardRules
import ShiftDomain
import Testing

@testable import Guidance

@Suite("Every text") struct EveryTextTests {
  @Test("Every language has every key, and each once", arguments: Language.allCases)
  func complete(_ language: Language) {  // R: B10
    #expect(catalogue(of: language).faults == [])
  }

  @Test("A catalogue with a missing and a repeated key says so")
  func faulty() {
    let texts: Texts<Verdict> = [.allow: "a", .warn: "b", .warn: "c"]
    #expect(texts.faults == ["Verdict.block is missing", "Verdict.warn is given twice"])
  }

  @Test(
    "No text blames, threatens, holds a placeholder or a coordinate", arguments: Language.allCases)
  func kind(_ language: Language) throws {
    for text in catalogue(of: language).all {
      #expect(flaw(of: text) == nil, "\(text)")
    }
  }

  @Test("The check finds what it looks for")
  func checkWorks() {
    #expect(flaw(of: "") != nil)
    #expect(flaw(of: "Hello %@.") != nil)
    #expect(flaw(of: "You are at 52.52.") != nil)
    #expect(flaw(of: "You refused.") != nil)
    #expect(flaw(of: "All is well.") == nil)
  }

  @Test("Every finding has a whole remedy on every device, by every way of granting")
  func remedies() {  // R: A3
    var failures: [String] = []
    for preset in Preset.allCases {
      for finding in Finding.allCases {
        for device in devices {
          for report in reports {
            let severities = SeverityTable.table(of: preset)
            let guidance = guidance(
              for: decision([finding], under: severities), report: report, on: device,
              under: severities)
            for flaw in flaws(of: guidance, severity: severities[finding]) {
              failures.append(
                "\(preset) \(finding) \(device) \(String(describing: report)): \(flaw)")
            }
          }
        }
      }
    }
    #expect(failures == [])
  }

  @Test("Every incident has a whole notice on every device, by every way of granting")
  func notices() {  // R: M4
    var failures: [String] = []
    for kind in IncidentKind.allCases {
      for device in devices {
        for report in reports {
          let notice = noticeText(for: kind, report: report, on: device)
          let isWhole =
            flaw(of: notice.title) == nil && flaw(of: notice.body) == nil
            && !notice.steps.isEmpty && notice.steps.allSatisfy { flaw(of: $0) == nil }
            && notice.title.count <= 60 && notice.body.count <= 240 && notice.action != .none
            && Set(notice.steps).count == notice.steps.count
            && notice.body.hasSuffix("Tracking stops when your shift ends.")
          if !isWhole { failures.append("\(kind) \(device) \(String(describing: report))") }
        }
      }
    }
    #expect(failures == [])
  }

  @Test("Every step is on somebody's way")
  func noDeadStep() {
    var shown: Set<String> = []
    for device in devices {
      for report in reports {
        for kind in IncidentKind.allCases {
          shown.formUnion(noticeText(for: kind, report: report, on: device).steps)
        }
        for preset in Preset.allCases {
          let decision = Decision(.all, under: .table(of: preset))
          for remedy in guidance(for: decision, report: report, on: device).remedies {
            shown.formUnion(remedy.steps)
          }
        }
      }
    }
    let texts = catalogue(of: .english).steps
    #expect(Step.allCases.filter { !shown.contains(texts[$0]) } == [])
  }

  @Test("Buttons are short", arguments: ActionCode.allCases)
  func labels(_ action: ActionCode) {
    #expect((1...24).contains(action.label().count))
  }
}

/// What is wrong with a text that people read, or `nil`.
func flaw(of text: String) -> String? {
  if text.isEmpty { return "empty" }
  if text.contains("%") || text.contains("{") || text.contains("\\(") { return "placeholder" }
  if text.contains(#/[0-9][.,][0-9]/#) { return "coordinate" }
  if text.contains("  ") || text != text.trimmingSpaces { return "spacing" }
  let words = [
    "refused", "you denied", "you disabled", "your fault", "violat", "disciplin", "penal",
  ]
  return words.first { text.lowercased().contains($0) }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// What is wrong with the guidance for a single finding.
private func flaws(of guidance: Guidance, severity: Severity) -> [String] {
  var flaws: [String] = []
  guard let banner = guidance.banner, let remedy = guidance.remedies.first,
    guidance.remedies.count == 1
  else { return ["no banner, or not one remedy"] }
  for text in [banner.title, banner.body, remedy.title, remedy.why] + remedy.steps {
    if let flaw = flaw(of: text) { flaws.append("\(flaw): \(text)") }
  }
  if banner.title.count > 60 || remedy.title.count > 60 { flaws.append("long title") }
  if banner.body.count > 240 { flaws.append("banner of \(banner.body.count)") }
  if remedy.why.count > 240 { flaws.append("why of \(remedy.why.count)") }
  if !remedy.why.contains("Tracking stops when your shift ends.") { flaws.append("no end") }
  if remedy.steps.isEmpty { flaws.append("no step") }
  if Set(remedy.steps).count != remedy.steps.count { flaws.append("a step twice") }
  if remedy.severity != severity { flaws.append("severity") }
  if severity == .block, remedy.action == .none { flaws.append("a block without an action") }
  return flaws
}
