import HTTPAPI
import HTTPServing
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  var accountsRoutes: [AccessRoute] {
    let one = "/settings/accounts/{account}"
    return [
      page("/settings/accounts", .administrator) { _, _ in .page(try await accounts().page) },
      form("/settings/accounts", .administrator) { _, fields, principal in
        try await addAccount(fields, principal)
      },
      page(one, .administrator) { request, _ in
        var view = try await account(in: request)
        let completed = request.queryValue("done").flatMap { CompletedAccountAction(rawValue: $0) }
        (view.done, view.isJustDisabled) = (completed?.text, completed == .disabled)
        return .page(view.page)
      },
      form(one, .administrator) { request, fields, principal in
        try await changeAccount(request, fields, principal)
      },
      form(one + "/password", .administrator) { request, fields, principal in
        let (view, password) = (try await account(in: request), Password.randomText())
        guard fields.isSure else { return view.asking(view.renewalQuestion) }
        return try shown(
          try await operations.installation.resetPassword(
            of: view.row.account, to: Password(password), by: principal), view, password: password)
      },
      form(one + "/disable", .administrator) { request, fields, principal in
        let view = try await account(in: request)
        guard fields.isSure else { return view.asking(view.disablingQuestion) }
        return try shown(
          try await operations.installation.setAccount(
            view.row.account, isDisabled: true, by: principal), view,
          .disabled)
      },
      form(one + "/enable", .administrator) { request, _, principal in
        let view = try await account(in: request)
        return try shown(
          try await operations.installation.setAccount(
            view.row.account, isDisabled: false, by: principal), view,
          .enabled)
      },
    ]
  }

  private func accounts() async throws -> AccountsView {
    AccountsView(
      teams: try await operations.people.teams(),
      accounts: try await operations.installation.accounts())
  }

  private func account(in request: HTTPRequest) async throws -> AccountView {
    AccountView(
      try await operations.installation.account(request.pathAccount),
      teams: try await operations.people.teams())
  }

  private func addAccount(_ fields: FormFields, _ principal: Principal) async throws -> PageAnswer {
    var view = try await accounts()
    view.draft = AccountDraft(fields)
    let password = Password.randomText()
    do {
      let row = try await operations.installation.addAccount(
        email: fields["email"], try AccountSettings(fields), password: Password(password),
        by: principal
      ).get()
      var made = AccountView(row, teams: view.teams)
      (made.done, made.password) = ("Account created.", password)
      return .page(made.page)
    } catch {
      return try view.refused(by: error)
    }
  }

  private func changeAccount(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    var view = try await account(in: request)
    do {
      let settings = try AccountSettings(fields)
      return try shown(
        try await operations.installation.changeAccount(
          view.row.account, matching: [fields["tag"]], by: principal
        ) { _ in settings }, view)
    } catch {
      view.draft = AccountDraft(fields)
      if case .account(let row) = Refusal(error)?.subject {
        view = AccountView(row, teams: view.teams)
      }
      return try view.refused(by: error)
    }
  }

  /// The account's page after a form: the new password, a confirmation or the error.
  private func shown(
    _ outcome: AccountOutcome, _ view: AccountView, _ completed: CompletedAccountAction = .saved,
    password: String? = nil
  ) throws -> PageAnswer {
    var view = view
    do {
      let row = try outcome.get()
      guard let password else {
        return .seeOther("/settings/accounts/\(row.account.rawValue)?done=\(completed.rawValue)")
      }
      view.password = password
      return .page(view.page)
    } catch {
      return try view.refused(by: error)
    }
  }
}

/// What a form on an account's page did; stands in the address of the page shown after it.
private enum CompletedAccountAction: String {
  case saved, disabled, enabled

  var text: HTML {
    switch self {
    case .saved: "Changes saved."
    case .disabled: "Account disabled. Its sessions have ended."
    case .enabled: "Account enabled."
    }
  }
}

extension AccountSettings {
  fileprivate init(_ fields: FormFields) throws(OperationError) {
    guard let access = AccessPicker(fields) else {
      throw .invalid("choose a valid role and teams")
    }
    let number = Int32(fields["employee"])
    guard fields["employee"].isEmpty || (number ?? 0) > 0 else {
      throw .invalid("an employee number must be above zero")
    }
    self.init(
      name: fields["name"], role: access.role, teams: access.teams,
      employee: number.map { EmployeeID($0) })
  }
}
