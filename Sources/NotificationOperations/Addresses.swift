import CivilTime
import Cryptography
import Guidance
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The result of adding a contact.
package enum ContactOutcome: Hashable, RefusableAnswer {
  /// - Parameter secret: The signing secret in the format of Standard Webhooks, shown only here;
  ///   `nil` for a channel without secrets.
  case added(TeamContact, secret: String?)
  case alreadyThere(String, TeamID, Channel)
  case notAnAddress(String, Channel)
  case tooMany(TeamID)
  case noDigest(Channel)
  /// It would never be notified.
  case noTopic
  /// Only an account has browsers, and it is notified in some way.
  case noWay
  /// This account cannot log in, or may not see the team.
  case notTheirTeam(AccountID)
  /// A rehearsal notifies nobody but the practice employee.
  case practiceTeam

  package func get() throws(Refusal) -> (contact: TeamContact, secret: String?) {
    switch self {
    case .added(let contact, let secret): return (contact, secret)
    case .alreadyThere(let address, let team, let channel):
      let noun = ContactChannel(channel)?.noun ?? channel.code
      throw .conflict(
        "contact_exists", "team \(team.rawValue) already has the \(noun) `\(address)`")
    case .notAnAddress(let address, let channel):
      let form = ContactChannel(channel)?.form ?? "an address"
      throw .invalid("/address", "the address must be \(form), not `\(address)`")
    case .noDigest:
      throw .invalid("/topics", "a webhook for programs cannot get the weekly digest")
    case .noTopic: throw .invalid("/topics", "choose at least one topic")
    case .noWay:
      throw .invalid("/ways", "choose e-mail, browsers or both, and only for a contact by e-mail")
    case .notTheirTeam(let account):
      throw .conflict(
        "not_their_team",
        "account \(account.rawValue) is disabled or has no access to the team")
    case .practiceTeam:
      throw .conflict(
        "practice_team", "the practice team has no contacts: a rehearsal notifies no manager")
    case .tooMany(let team):
      throw .conflict(
        "too_many_contacts", "team \(team.rawValue) already has \(contactsMax) contacts")
    }
  }
}

/// How many contacts and webhooks a team may have: each notification to managers goes to all.
package let contactsMax = 100

extension TeamContact {
  /// Its address for `principal`.
  package func address(for principal: Principal) -> String {
    guard ContactChannel(channel)?.hasSecretPath == true, principal.role != .administrator
    else { return address }
    let scheme = "https://"
    guard address.hasPrefix(scheme) else { return "…" }
    let host = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    return "\(scheme)\(host.split(separator: "@").last ?? host)/…"
  }
}

extension NotificationOperations {
  /// By channel, then in the order in which they were added.
  package func contacts(of team: TeamID) async throws(OperationError) -> [TeamContact] {
    _ = try await core.team(team)
    return try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.contacts(of: team, on: &session)
    }
  }

  /// Adds a contact. Notifications about the team's employees that wait for a channel are checked
  /// again at once.
  /// - Parameter language: Ignored for a channel whose texts are in English.
  package func addContact(
    _ address: String, through way: ContactChannel = .email, language: Language = .english,
    choices: ContactChoices = ContactChoices(), to team: TeamID, by principal: Principal
  ) async throws(OperationError) -> ContactOutcome {
    _ = try await core.team(team)
    if let refusal = choices.refusal(for: way.channel) { return refusal }
    guard way.accepts(address) else { return .notAnAddress(address, way.channel) }
    // Nobody gets the same e-mail twice by another case of the address.
    let isThere = { @Sendable (contact: TeamContact) in
      contact.channel == way.channel && contact.address == address
        || way.channel == .email && contact.isMailbox(of: address.lowercased())
    }
    let secret = way.hasSecret ? randomBytes(32) : nil
    let code = (way.channel.hasReaders ? language : .english).code
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      guard try practiceTeam(on: &session) != team else { return .done(.practiceTeam) }
      try session.execute(holdContacts(of: team))
      let known = try NotificationQueue.contacts(of: team, on: &session)
      if known.contains(where: isThere) {
        return .done(.alreadyThere(address, team, way.channel))
      }
      guard known.count < contactsMax else { return .done(.tooMany(team)) }
      try session.pipeline(
        insertContact(
          address, by: way.channel, language: code, secret: secret, choices: choices, of: team))
      let added = try NotificationQueue.contacts(of: team, on: &session).first(where: isThere)
      guard let added else { return .lost }
      try audit(
        way.added, by: principal, at: at, target: team.rawValue, reason: added.named,
        on: &session)
      let waiting = try session.execute(deliverNow(notificationsOf: team, at: fixedNow))
      let outcome = ContactOutcome.added(
        added, secret: secret.map { "whsec_" + Base64.encode($0) })
      return waiting > 0 ? .queued(outcome) : .done(outcome)
    }
  }

  package func removeContact(
    _ address: String, through way: ContactChannel = .email, from team: TeamID,
    by principal: Principal
  ) async throws(OperationError) {
    let known = try await contacts(of: team)
    guard let contact = known.first(where: { $0.channel == way.channel && $0.address == address })
    else { throw .notFound("\(way.noun) `\(address)` of team \(team.rawValue)") }
    try await removeContact(contact.number, from: team, by: principal)
  }

  package func removeContact(_ number: Int16, from team: TeamID, by principal: Principal)
    async throws(OperationError)
  {
    let contact = try await contact(number, of: team)
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      let rows = try session.execute(
        deleteContact(contact.address, by: contact.channel, of: team))
      guard rows == 1 else {
        return .refused(.contactNotFound(number, of: team))
      }
      try audit(
        ContactChannel(contact.channel)?.removed ?? .contactRemoved, by: principal, at: at,
        target: team.rawValue, reason: contact.named, on: &session)
      return .done(true)
    }
  }

  /// Changes what a contact is notified of, when, and in which language. What waits for a contact
  /// of the team is checked again at once.
  /// - Parameter edit: Changes the language and the choices; the rest stays as it is.
  package func changeContact(
    _ number: Int16, of team: TeamID, by principal: Principal,
    to edit: @Sendable (inout TeamContact) -> Void
  ) async throws(OperationError) -> ContactOutcome {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdContacts(of: team))
      let known = try NotificationQueue.contacts(of: team, on: &session)
      guard let old = known.first(where: { $0.number == number }) else {
        return .refused(.contactNotFound(number, of: team))
      }
      var new = old
      edit(&new)
      if let refusal = new.choices.refusal(for: old.channel) { return .done(refusal) }
      guard new != old else { return .done(.added(old, secret: nil)) }
      try session.execute(update(new, of: team))
      try audit(
        .contactChanged, by: principal, at: at, target: team.rawValue,
        reason: "\(new.named): \(new.choices.summary)", on: &session)
      let waiting = try session.execute(deliverNow(notificationsOf: team, at: fixedNow))
      let outcome = ContactOutcome.added(new, secret: nil)
      return waiting > 0 ? .queued(outcome) : .done(outcome)
    }
  }

  package func contact(_ number: Int16, of team: TeamID) async throws(OperationError)
    -> TeamContact
  {
    guard let contact = try await contacts(of: team).first(where: { $0.number == number }) else {
      throw .contactNotFound(number, of: team)
    }
    return contact
  }
}

extension ContactChoices {
  fileprivate func refusal(for channel: Channel) -> ContactOutcome? {
    if topics.topics.isEmpty { return .noTopic }
    if ways.isEmpty || channel != .email && ways != .all { return .noWay }
    return topics.contains(.weeklyDigest) && !channel.hasReaders ? .noDigest(channel) : nil
  }

  /// `interruptions, reviews; quiet from 22:00 to 06:00`
  package var summary: String {
    var topics = topics.topics.map(\.code).joined(separator: ", ")
    if ways != .all { topics += "; by \(ways.ways.map(\.code).joined(separator: ", ")) only" }
    guard let quiet else { return topics }
    let rest = quiet.letsUrgentPass ? ", but not for urgent ones" : ""
    return "\(topics); quiet from \(quiet.fromText) to \(quiet.untilText)\(rest)"
  }
}

extension OperationError {
  static func contactNotFound(_ number: Int16, of team: TeamID) -> OperationError {
    .notFound("contact \(number) of team \(team.rawValue)")
  }
}
