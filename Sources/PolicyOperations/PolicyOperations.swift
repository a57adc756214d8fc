import ManagerCore
import OperationCore

/// Use cases about the policies of teams: the one in force, planned and tried ones, and rehearsals.
package struct PolicyOperations: Sendable {
  let core: OperationCore
  let heavyReads: HeavyReads
  /// `nil`: this program serves no phones.
  let refusedRequests: RefusedRequests?

  package init(core: OperationCore, heavyReads: HeavyReads, refusedRequests: RefusedRequests?) {
    self.core = core
    self.heavyReads = heavyReads
    self.refusedRequests = refusedRequests
  }
}
