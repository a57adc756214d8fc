import ManagerCore
import OperationCore

/// Use cases about employees, teams, their phones and sites, and their planned shifts.
package struct PeopleOperations: Sendable {
  package let core: OperationCore
  let heavyReads: HeavyReads
  /// `nil`: this program serves no phones.
  let refusedRequests: RefusedRequests?

  package init(core: OperationCore, heavyReads: HeavyReads, refusedRequests: RefusedRequests?) {
    self.core = core
    self.heavyReads = heavyReads
    self.refusedRequests = refusedRequests
  }
}
