import HTTPAPI
import HTTPServing
import ManagerOperations
import OperationCore
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
        view.done = request.queryValue("done") == "saved" ? "Saved." : nil
        return .page(view.page)
      },
      form(one, .administrator) { request, fields, principal in
        try await changeAccount(request, fields, principal)
      },
      form(one + "/password", .administrator) { request, _, principal in
        let (view, password) = (try await account(in: request), Password.randomText())
        return shown(
          try await operations.resetPassword(
            of: view.row.account, to: Password(password), by: principal), view, password: password)
      },
      form(one + "/disable", .administrator) { request, _, principal in
        let view = try await account(in: request)
        return shown(
          try await operations.setAccount(view.row.account, isDisabled: true, by: principal), view)
      },
      form(one + "/enable", .administrator) { request, _, principal in
        let view = try await account(in: request)
        return shown(
          try await operations.setAccount(view.row.account, isDisabled: false, by: principal), view)
      },
    ]
  }

  private func accounts() async throws -> AccountsView {
    AccountsView(teams: try await operations.teams(), accounts: try await operations.accounts())
  }

  private func account(in request: HTTPRequest) async throws -> AccountView {
    AccountView(
      try await operations.account(request.pathAccount),
      teams: try await operations.teams())
  }

  private func addAccount(_ fields: FormFields, _ principal: Principal) async throws -> PageAnswer {
    var view = try await accounts()
    view.draft = AccountDraft(fields)
    let password = Password.randomText()
    do {
      let outcome = try await operations.addAccount(
        email: fields["email"], try AccountSettings(fields), password: Password(password),
        by: principal)
      if case .kept(let row) = outcome {
        var made = AccountView(row, teams: view.teams)
        (made.done, made.password) = ("Account created.", password)
        return .page(made.page)
      }
      return view.refused(outcome.sentence)
    } catch let fault as FormFault {
      return view.refused(fault.sentence)
    } catch OperationError.invalid {
      return view.refused("Enter a valid e-mail address.")
    }
  }

  private func changeAccount(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    var view = try await account(in: request)
    do {
      let settings = try AccountSettings(fields)
      let outcome = try await operations.changeAccount(
        view.row.account, matching: [fields["tag"]], by: principal
      ) { _ in settings }
      if case .changedMeanwhile(let row) = outcome {
        return AccountView(row, teams: view.teams).refused(outcome.sentence)
      }
      return shown(outcome, view, typed: AccountDraft(fields))
    } catch let fault as FormFault {
      view.draft = AccountDraft(fields)
      return view.refused(fault.sentence)
    }
  }

  /// The account's page after a form: the new password, a confirmation or the error.
  private func shown(
    _ outcome: AccountOutcome, _ view: AccountView, typed: AccountDraft? = nil,
    password: String? = nil
  ) -> PageAnswer {
    var view = view
    if case .kept(let row) = outcome {
      guard let password else {
        return .seeOther("/settings/accounts/\(row.account.rawValue)?done=saved")
      }
      view.password = password
      return .page(view.page)
    }
    view.draft = typed ?? view.draft
    return view.refused(outcome.sentence)
  }
}

struct FormFault: Error {
  let sentence: HTML
}

extension AccountSettings {
  fileprivate init(_ fields: FormFields) throws(FormFault) {
    let name = fields["name"]
    guard !name.allSatisfy(\.isWhitespace), name.unicodeScalars.count <= 100, !name.contains("\0")
    else { throw FormFault(sentence: "The name must have 1 to 100 characters.") }
    guard let access = AccessPicker(fields) else {
      throw FormFault(sentence: "Choose a valid role and teams.")
    }
    let number = Int32(fields["employee"])
    guard fields["employee"].isEmpty || (number ?? 0) > 0 else {
      throw FormFault(sentence: "An employee number must be above zero.")
    }
    self.init(
      name: name, role: access.role, teams: access.teams, employee: number.map { EmployeeID($0) })
  }
}

extension AccountOutcome {
  fileprivate var sentence: HTML {
    switch self {
    case .kept: "Saved."
    case .emailTaken: "Another account already has this e-mail address."
    case .weak(let fault): fault.sentence
    case .noSuchTeam: "This team does not exist."
    case .noSuchEmployee(let employee): "Employee \(employee.rawValue) does not exist."
    case .lastAdministrator:
      "This is the last administrator account. Add another administrator first."
    case .changedMeanwhile:
      "The account has changed since you opened the page. The current values are shown."
    }
  }
}

extension PasswordFault {
  var sentence: HTML {
    switch self {
    case .tooShort: "The password must have at least \(Password.charactersMin) characters."
    case .tooLong: "The password must have at most \(Password.bytesMax) bytes."
    case .guessable: "This password is too easy to guess."
    }
  }
}
