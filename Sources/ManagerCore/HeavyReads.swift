import Lifecycle
import Postgres
import ReadModels
import ShiftDomain
import SystemCalls

/// What the heavy reads of all managers share: a gate, a thread and connections of their own. So
/// they neither delay phones nor fill the memory, whatever managers ask for.
package final class HeavyReads: Sendable {
  /// Who takes turns at the gate: an account whatever its sessions, and a token.
  package enum Reader: Hashable, Sendable {
    case account(AccountID)
    case token(Int32)
    case commandLine
  }

  package typealias Place = FairGate<Reader>.Place

  /// The longest that one may take, its client's time to receive it included.
  package static let spanMax = Duration.seconds(300)
  /// How many connections they need: one for each place, and one for the weekly digest.
  package static let connections = FairGate<Reader>.Limits().places + 1

  package let gate: FairGate<Reader>
  package let thread: SerialThread
  package let pool: Pool

  /// - Parameter waited: Hears how long each read waited for its turn.
  package init(
    pool: Pool, limits: FairGate<Reader>.Limits = FairGate<Reader>.Limits(),
    waited: @escaping @Sendable (Duration) -> Void = { _ in }
  ) {
    self.pool = pool
    let thread = SerialThread(isQuiet: true)
    self.thread = thread
    gate = FairGate(limits, waited: waited) { thread.run { returnFreedMemory() } }
  }
}

extension Principal {
  package var reader: HeavyReads.Reader {
    account.map { .account($0) } ?? token.map { .token($0) } ?? .commandLine
  }
}
