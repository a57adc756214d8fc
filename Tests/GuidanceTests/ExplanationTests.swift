import ShiftDomain
import Testing

@testable import Guidance

@Suite("Explanation before the system's dialog") struct ExplanationTests {
  @Test(
    "It has a title, a reason, benefits, platform notes and two buttons everywhere",
    arguments: Language.allCases)
  func whole(_ language: Language) {  // R: C1
    let ending = catalogue(of: language).phrases[.endsWithShift]
    for device in devices {
      for needed in NeededPermission.allCases {
        let explanation = explanation(on: device, needing: needed, in: language)
        let texts =
          [explanation.title, explanation.why, explanation.proceed, explanation.later]
          + explanation.benefits + explanation.platformNotes
        #expect(texts.allSatisfy { flaw(of: $0, in: language) == nil })
        #expect(explanation.title.count <= 60 && explanation.why.count <= 240)
        #expect(explanation.proceed.count <= 24 && explanation.later.count <= 24)
        #expect(explanation.benefits.count == 3 && !explanation.platformNotes.isEmpty)
        #expect(explanation.why.hasSuffix(ending))
      }
    }
  }

  @Test("It says which permission each policy needs")
  func byPolicy() {
    #expect(explanation(on: iPhone, needing: .whileInUse).why.contains("While Using is accepted"))
    #expect(explanation(on: iPhone, needing: .always).why.contains("needs the setting Always"))
    #expect(explanation(on: iPhone, needing: .none).why.contains("everything works without it"))
  }

  @Test("It is friendly and not technical", arguments: Language.allCases)
  func plain(_ language: Language) {  // R: C1
    for device in devices {
      for needed in NeededPermission.allCases {
        let explanation = explanation(on: device, needing: needed, in: language)
        let text = ([explanation.title, explanation.why] + explanation.benefits).joined()
        #expect(language.technicalWords.filter { text.lowercased().contains($0) } == [])
      }
    }
  }

  @Test("On Android it states the use in the background first, then what this version asks")
  func android() {  // R: C2
    func notes(_ version: String?) -> [String] {
      explanation(
        on: DeviceDescription(platform: .android, osVersion: version), needing: .always
      ).platformNotes
    }
    #expect(notes("14").first?.contains("even when the app is closed or not in use") == true)
    #expect(notes("9").last == "The phone asks once: choose Allow.")
    #expect(notes("10").last == "The phone asks once: choose Allow all the time.")
    #expect(notes("11").last?.hasPrefix("The phone asks first") == true)
    #expect(notes(nil).last == notes("16").last)
  }

  @Test("Guidance contains it exactly when the system's dialog is next, and it can be put off")
  func beforeTheDialog() throws {  // R: A4, B9
    func said(_ finding: Finding, _ report: PermissionState, on device: DeviceDescription)
      -> Explanation?
    {
      guidance(for: decision([finding], under: .standard), report: report, on: device).explanation
    }
    let neverAsked = try #require(
      said(.notDetermined, state(.notDetermined, .prompt), on: iPhone))
    #expect(neverAsked == explanation(on: iPhone, needing: .whileInUse))
    #expect(!neverAsked.later.isEmpty)
    #expect(said(.denied, state(.denied, .prompt), on: pixel) != nil)
    #expect(said(.denied, state(.denied, .settings), on: pixel) == nil)
    #expect(said(.whenInUse, state(.whenInUse, .prompt), on: pixel) == nil)
  }

  @Test("Guidance explains the permission that the policy needs")
  func withGuidance() {  // R: C1
    for (needed, table) in [
      (NeededPermission.whileInUse, SeverityTable.standard), (.always, .strict), (.none, .advisory),
    ] {
      let guidance = guidance(
        for: decision([.notDetermined], under: table), report: state(.notDetermined, .prompt),
        on: iPhone, under: table)
      #expect(guidance.explanation == explanation(on: iPhone, needing: needed))
    }
  }
}
