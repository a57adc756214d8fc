import Testing

@testable import Postgres

@Suite("Interrupts of connection loans") struct InterruptTests {
  @Test("an interrupt that comes late, early or twice does not affect another loan")
  func oneLoan() {
    let interrupt = Interrupt()
    let first = interrupt.begin()
    interrupt.end()
    interrupt.raise(first)
    #expect(!interrupt.isRaised)
    let second = interrupt.begin()
    interrupt.raise(first)
    #expect(!interrupt.isRaised && second != first)
    interrupt.raise(second)
    interrupt.raise(second)
    #expect(interrupt.isRaised)
    interrupt.end()
    #expect(!interrupt.isRaised)
  }

  @Test("a wait ends when its loan is interrupted, and waits of the next loan are not affected")
  func wakes() throws {
    let interrupt = Interrupt()
    func wait(_ span: Duration) -> String {
      do throws(Failure) {
        // No socket: only the interrupt or the deadline can end it.
        try Wire.wait(
          .readable, on: -1, until: .now + span, unless: interrupt)
        return "ready"
      } catch .cancelled {
        return "cancelled"
      } catch {
        return "late"
      }
    }
    interrupt.raise(interrupt.begin())
    #expect(wait(.seconds(600)) == "cancelled")
    _ = interrupt.begin()
    #expect(wait(.milliseconds(20)) == "late")
  }
}
