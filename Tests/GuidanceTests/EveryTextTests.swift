import GuardRules
import ShiftDomain
import Testing

@testable import Guidance

@Suite("Every text") struct EveryTextTests {
  @Test("Every language has every key exactly once", arguments: Language.allCases)
  func complete(_ language: Language) {
    #expect(catalogue(of: language).faults == [])
  }

  @Test("A catalogue reports missing and repeated keys")
  func faulty() {
    let texts: Texts<Verdict> = [.allow: "a", .warn: "b", .warn: "c"]
    #expect(texts.faults == ["Verdict.block is missing", "Verdict.warn is given twice"])
  }

  @Test(
    "No text blames, threatens or has a placeholder or a coordinate", arguments: Language.allCases)
  func kind(_ language: Language) throws {
    for text in catalogue(of: language).all {
      #expect(flaw(of: text, in: language) == nil, "\(text)")
    }
  }

  @Test("No text is left in English", arguments: Language.allCases.filter { $0 != .english })
  func translated(_ language: Language) {
    // Some words are the same everywhere.
    let shared: Set<String> = ["OK"]
    let english = Set(catalogue(of: .english).all)
    #expect(english.intersection(catalogue(of: language).all) == shared)
  }

  @Test(
    "A settings path has the same number of stops in every language", arguments: Language.allCases)
  func stops(_ language: Language) {
    let english = catalogue(of: .english).steps
    let steps = catalogue(of: language).steps
    for step in Step.allCases {
      #expect(steps[step].count { $0 == ">" } == english[step].count { $0 == ">" }, "\(step)")
    }
  }

  @Test("A text that introduces steps ends with a colon", arguments: Language.allCases)
  func leadsOn(_ language: Language) {
    let steps = catalogue(of: language).steps
    for step in Step.allCases {
      let leads = [.whenUnlocked, .ifNoQuestion, .servicesFirst].contains(step)
      #expect(steps[step].hasSuffix(leads ? ":" : "."), "\(step)")
    }
  }

  @Test("The check finds every flaw it is meant to find")
  func checkWorks() {
    #expect(flaw(of: "") != nil)
    #expect(flaw(of: "Hello %@.") != nil)
    #expect(flaw(of: "You are at 52.52.") != nil)
    #expect(flaw(of: "You refused.") != nil)
    #expect(flaw(of: "All is well.") == nil)
    #expect(flaw(of: "Ouvrez-la\u{202F}; «\u{202F}Toujours\u{202F}».", in: .french) == nil)
    #expect(flaw(of: "Ouvrez-la; elle vérifie.", in: .french) != nil)
    #expect(flaw(of: "Choisissez «Toujours».", in: .french) != nil)
    #expect(flaw(of: "Ouvrez l'app.", in: .french) != nil)
    #expect(flaw(of: "Wybierz „Zawsze”.", in: .polish) == nil)
    #expect(flaw(of: "Wybierz „Zawsze“.", in: .polish) != nil)
    #expect(flaw(of: "Wybierz „Zawsze.", in: .polish) != nil)
    #expect(flaw(of: "Wählen Sie „Immer“.", in: .german) == nil)
    #expect(flaw(of: "Wählen Sie „Immer”.", in: .german) != nil)
  }

  @Test(
    "Every finding has a complete remedy on every device, for every grant path",
    arguments: Language.allCases)
  func remedies(_ language: Language) {  // R: A3
    var review = Review(of: language)
    for preset in Preset.allCases {
      for (finding, device, report) in product(Finding.allCases) {
        var severities = SeverityTable.table(of: preset)
        if severities[finding] == .ignore { severities = severities.moving(finding, to: .block) }
        let guidance = guidance(
          for: decision([finding], under: severities), report: report, on: device,
          under: severities, in: language)
        review.read(guidance, severity: severities[finding]) {
          "\(preset) \(finding) \(device) \(String(describing: report))"
        }
      }
    }
    #expect(review.flaws == [])
  }

  @Test(
    "Every incident has a complete notification on every device, for every grant path",
    arguments: Language.allCases)
  func notifications(_ language: Language) {
    var review = Review(of: language)
    for (kind, device, report) in product(IncidentKind.allCases) {
      review.read(notificationText(for: kind, report: report, on: device, in: language)) {
        "\(kind) \(device) \(String(describing: report))"
      }
    }
    #expect(review.flaws == [])
  }

  @Test("Every step appears in some guidance or notification")
  func noDeadStep() {
    var shown: Set<Step> = []
    for (finding, device, report) in product(Finding.allCases) {
      for severity in Severity.allCases {
        let circumstances = Circumstances(
          found: .all, severity: severity, report: report, device: device, needsAlways: false)
        shown.formUnion(plan(for: finding, in: circumstances).steps)
      }
    }
    let texts = catalogue(of: .english).steps
    var noticed: Set<String> = []
    for (kind, device, report) in product(IncidentKind.allCases) {
      noticed.formUnion(notificationText(for: kind, report: report, on: device).steps)
    }
    for (topic, device, _) in product(NotificationTopic.allCases) {
      let notification = ShiftNotification(topic, subject: 1, dueAt: Instant(milliseconds: 0))
      noticed.formUnion(notificationText(for: notification, report: nil, on: device).steps)
    }
    #expect(Step.allCases.filter { !shown.contains($0) && !noticed.contains(texts[$0]) } == [])
  }

  @Test("Buttons are short", arguments: ActionCode.allCases)
  func labels(_ action: ActionCode) {
    for language in Language.allCases {
      #expect((1...24).contains(action.label(in: language).count), "\(language)")
    }
  }
}
