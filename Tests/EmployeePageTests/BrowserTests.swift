import TestKit
import Testing

#if TSAN_LOCKS
  private let isSlowedDown = true
#else
  private let isSlowedDown = false
#endif

// Under ThreadSanitizer, the service is too slow for the times that these tests check.
@Suite("The employee's page in a browser", .serialized, .disabled(if: isSlowedDown))
struct BrowserTests {
  private func expectNoFault(_ story: String) async throws {
    try await PageWorld.run { _, address in
      let faults = try await Browser.run("page", address, story, Browser.pictures)
      #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }
  }

  // R: A1, A5, A8, A9
  @Test("connects by a link, is blocked after a denial, and clocks in after the grant")
  func denied() async throws { try await expectNoFault("denied") }

  // R: A4, A15, A19
  @Test("explains before the browser asks, and a dismissal leads back to the same page")
  func explained() async throws { try await expectNoFault("explained") }

  // R: A10
  @Test("clocks in offline from its own cache, and sends that in order when it is online again")
  func offline() async throws { try await expectNoFault("offline") }

  @Test("keeps an offline attempt that is blocked for review, and clocks in once that is possible")
  func kept() async throws { try await expectNoFault("kept") }

  @Test("a code works twice, and the second use disconnects the first browser")
  func twice() async throws { try await expectNoFault("twice") }

  @Test("takes a shift over from another phone")
  func elsewhere() async throws { try await expectNoFault("elsewhere") }

  // R: A11
  @Test("shows a notification, says when it goes out of view, and shows what was recorded")
  func shift() async throws { try await expectNoFault("shift") }

  @Test("shows the privacy notice and who looked, in the language that was chosen")
  func privacy() async throws { try await expectNoFault("privacy") }

  @Test("is usable at 320 px, in light and dark mode, in every language")
  func sound() async throws { try await expectNoFault("sound") }
}
