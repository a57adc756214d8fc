import GuardRules
import Guidance
import ShiftDomain
import Testing

@Suite("The text about a shift that was opened for an employee") struct OpenedShiftTextTests {
  @Test("says in each language that it waits, and how it was opened", arguments: Language.allCases)
  func texts(_ language: Language) {
    func text(_ opening: ShiftOpening) -> NotificationText {
      notificationText(
        for: .opened(1, by: opening, dueAt: Instant(milliseconds: 0)), report: nil,
        on: DeviceDescription(platform: .ios), in: language)
    }
    let texts = ShiftOpening.allCases.map { text($0) }
    #expect(Set(texts.map(\.body)).count == 3)
    #expect(texts[1].title == texts[2].title && texts[0].title != texts[1].title)
    #expect(texts.allSatisfy { $0.action == .openApp && $0.title.count <= 60 })
    #expect(texts.allSatisfy { $0.body.count <= 240 })
    guard language == .english else { return }
    #expect(texts[1].body.contains("Confirm it to start recording your position, or decline it."))
  }
}
