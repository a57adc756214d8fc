import TestKit
import Testing

@Suite("The employee's page in a browser", .serialized)
struct BrowserTests {
  private func expectNoFault(
    _ story: String, of script: String = "page", movesTime: Bool = false
  ) async throws {
    try await PageWorld.run(movesTime: movesTime) { _, address in
      let faults = try await Browser.run(script, address, story, Browser.pictures)
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

  @Test("names the way to its permission also in a window without an address")
  func standalone() async throws { try await expectNoFault("standalone") }

  @Test("takes a shift over from another phone")
  func elsewhere() async throws { try await expectNoFault("elsewhere") }

  // R: M1
  @Test("shows that an app from a store tracks the shift, and clocks out beside it")
  func besideApp() async throws { try await expectNoFault("beside", of: "app") }

  @Test("says that an app has taken the shift over, and takes it back with one tap")
  func takenBack() async throws { try await expectNoFault("taken back", of: "app") }

  // R: A11
  @Test("shows a notification, says when it goes out of view, and shows what was recorded")
  func shift() async throws { try await expectNoFault("shift") }

  @Test("takes nothing back for an answer that is older than what it knows")
  func overtaken() async throws { try await expectNoFault("overtaken") }

  @Test("shows the privacy notice and who looked, in the language that was chosen")
  func privacy() async throws { try await expectNoFault("privacy") }

  @Test("is usable at 320 px, in light and dark mode, in every language")
  func sound() async throws { try await expectNoFault("sound") }

  // R: W3
  @Test("clocks in after a block with a reason, where the policy allows that")
  func override() async throws { try await expectNoFault("override", of: "states") }

  // R: W6
  @Test("lets the employee confirm the end of a shift that ended at its limit")
  func limit() async throws { try await expectNoFault("limit", of: "states") }

  // R: C6, B1
  @Test("blocks a browser under the strict policy, and nobody under the advisory one")
  func policies() async throws { try await expectNoFault("policies", of: "states") }

  @Test("says that a manager allows a clock-in, and then asks for the location as usual")
  func allowed() async throws { try await expectNoFault("allowed", of: "states") }

  @Test("says so when its memory is full, and still takes clock actions")
  func full() async throws { try await expectNoFault("full", of: "states") }

  @Test("two tabs send what both recorded once and in order")
  func tabs() async throws { try await expectNoFault("tabs", of: "states") }

  @Test("a phone revoked while offline keeps its records, and says how many")
  func revoked() async throws { try await expectNoFault("revoked", of: "states") }

  @Test("sends everything after a lost database, and says what would be lost with the page")
  func lostDatabase() async throws { try await expectNoFault("lost", of: "owners") }

  @Test("sends nothing of one employee as another's, in no tab, and though the database failed")
  func handedOver() async throws { try await expectNoFault("handed over", of: "owners") }

  // R: W25
  @Test("sends nothing of an erased employee as of the next one with the number")
  func reusedNumber() async throws { try await expectNoFault("reused number", of: "owners") }

  // R: W25
  @Test("sends nothing of an erased employee either if an earlier version connected the browser")
  func reusedNumberBefore() async throws {
    try await expectNoFault("reused number before", of: "owners")
  }

  @Test("sends an employee's records after an upgrade and a new connection")
  func connectedBefore() async throws { try await expectNoFault("connected before", of: "owners") }

  @Test("sends a clock action that was set aside, with its positions, after a new connection")
  func connectedAside() async throws { try await expectNoFault("connected aside", of: "owners") }

  @Test("sends no clock action that was set aside as another employee's, and says so")
  func handedOverAside() async throws {
    try await expectNoFault("handed over aside", of: "owners")
  }

  @Test("sends nothing after it went out of view, which would count as a return")
  func away() async throws { try await expectNoFault("away", of: "owners") }

  @Test("records nothing after a revocation, and shows which positions were not accepted")
  func refused() async throws { try await expectNoFault("refused", of: "owners") }

  @Test("a page of the version before is replaced as a whole, and loses no record")
  func updated() async throws { try await expectNoFault("updated", of: "states") }

  @Test("repeats a refused clock action as late as the server asks, and then shows its result")
  func backoff() async throws { try await expectNoFault("backoff", of: "exchange") }

  // R: A20
  @Test("reports what it showed and what the employee did, and the statistics follow from that")
  func measures() async throws { try await expectNoFault("measures", of: "exchange") }

  // R: A10
  @Test("what a proxy or a login page answers costs no record and does not disconnect the phone")
  func strangers() async throws { try await expectNoFault("strangers", of: "exchange") }

  // R: W1
  @Test("a page left open for three days with a wrong clock says so, and works on")
  func days() async throws { try await expectNoFault("days", of: "states") }

  // R: A12
  @Test("looks for another position at once if the first ones are older than the restoration")
  func late() async throws { try await expectNoFault("late", of: "states") }

  @Test("works without storage for as long as it is open, and says so")
  func unstored() async throws { try await expectNoFault("unstored", of: "states") }

  @Test("a tap counts though the page is drawn again under the finger")
  func pressed() async throws { try await expectNoFault("pressed", of: "states") }

  @Test("shows the server's decision when it differs, and reports the difference")
  func difference() async throws { try await expectNoFault("difference", of: "exchange") }

  @Test("decides as the server over the whole product of reports, times and policies")
  func decisions() async throws { try await expectNoFault("decisions", of: "states") }

  @Test("says without JavaScript what else an employee can do")
  func noscript() async throws { try await expectNoFault("noscript", of: "outside") }

  @Test("refuses to be framed by another page")
  func framed() async throws { try await expectNoFault("framed", of: "outside") }

  @Test("takes at most 80 kB of files at the first visit, and nothing at the second")
  func transferred() async throws { try await expectNoFault("transferred", of: "outside") }

  @Test("what was queued when the browser was killed arrives exactly once")
  func killed() async throws { try await expectNoFault("killed", of: "outside") }

  @Test("can be installed, and starts offline in a new process")
  func installed() async throws { try await expectNoFault("installed", of: "outside") }

  // R: A11
  @Test("subscribes to push messages after a tap, shows them, and opens at a tap on them")
  func push() async throws { try await expectNoFault("push", of: "outside") }

  // R: A2, A4, A5
  @Test("asks after a tap where the browser reports nothing, as Safari does")
  func safari() async throws { try await expectNoFault("safari", of: "outside") }

  // R: A8
  @Test("judges after a reload by what was reported before, as the server, and says how to go on")
  func reloaded() async throws { try await expectNoFault("reloaded", of: "outside") }

  @Test("asks, explains and takes no for an answer in WebKitGTK")
  func webkit() async throws { try await expectNoFault("smoke", of: "webkit") }

  @Test("a first day in Firefox")
  func firefox() async throws { try await expectNoFault("first day", of: "firefox") }

  // R: A1, A3
  @Test("leads through a first day: notice, shift, break, clock-out, and the own shift")
  func first() async throws { try await expectNoFault("first", of: "days") }

  // R: A3, A5, A8, A19
  @Test("after a block by mistake, shows the way back from its start and when it has worked")
  func mistaken() async throws { try await expectNoFault("mistaken", of: "days") }

  // R: A13
  @Test("says at once that the phone finds no position, and until when")
  func lost() async throws { try await expectNoFault("lost", of: "days") }

  @Test("goes on with a shift on a new phone, whose employee has read the notice")
  func newPhone() async throws { try await expectNoFault("new phone", of: "days") }

  @Test("asks for the confirmation of a shift that a manager has opened, and declines one")
  func opened() async throws { try await expectNoFault("opened", of: "opened") }

  @Test("confirms an opened shift offline, and shows a block without losing the shift")
  func openedOffline() async throws { try await expectNoFault("offline", of: "opened") }

  @Test("shows no block any more once a manager has accepted the clock-in")
  func accepted() async throws { try await expectNoFault("accepted", of: "opened") }

  // R: G1, G5
  @Test("refuses a clock-in off site, with the nearest site and the way, also offline")
  func offSite() async throws { try await expectNoFault("off site", of: "place") }

  // R: G3, G5
  @Test("refuses a clock-in before its time offline, with the time from which it is allowed")
  func tooEarly() async throws { try await expectNoFault("too early", of: "place") }

  // R: G1, G3, G4, G5, G7, W3
  @Test("a working day by the rules: phone, board, shift and check say the same at each step")
  func guardedDay() async throws {
    try await expectNoFault("guarded", of: "day", movesTime: true)
  }

  @Test("never lets the browser ask for the location without its explanation")
  func unasked() async throws { try await expectNoFault("unasked") }

  @Test("has no serious fault for a screen reader in any state, in either colour scheme")
  func accessible() async throws { try await expectNoFault("accessible", of: "measures") }

  // R: A1
  @Test("measures the time to the banner, and what is transferred")
  func speed() async throws { try await expectNoFault("speed", of: "measures") }
}
