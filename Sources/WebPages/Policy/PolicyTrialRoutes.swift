import GuardRules
import HTTPAPI
import HTTPServing
import PolicyOperations
import ShiftDomain

extension PageController {
  /// The draft of the policy page, tried on the clock-ins of the last weeks. Nothing is saved.
  var policyTrialRoutes: [AccessRoute] {
    [
      form("/settings/teams/{team}/try", .administrator, cost: .heavy) {
        request, fields, principal in
        var view = try await policyView(in: request, for: principal)
        view.typed = fields
        // From the page of a draft back to its form.
        if fields.text("edit") != nil { return .page(view.page) }
        let changes: PolicyChanges
        switch view.draft {
        case .changes(let typed): changes = typed
        case .refused(let fault): return view.refused(fault)
        }
        let weeks = fields.text("weeks").flatMap { Int($0) } ?? 2
        do {
          return .page(
            PolicyTrialView(
              team: view.team, clock: view.clock,
              trial: try await operations.policies.tryPolicy(
                of: view.team.team, changes, weeks: weeks),
              weeks: weeks, fields: fields
            ).page)
        } catch {
          return try view.refused(by: error)
        }
      }
    ]
  }
}
