import Postgres
import ReadModels
import ShiftDomain

// Tables push_target, team_contact and account_browser, and employee.email: the addresses for
// notifications.

/// A device with a push target.
package struct PushAddress: Hashable, Sendable {
  package var device: Int16
  package var target: PushTarget
  /// Whether it reported that it shows no notifications, so that a push reaches nobody.
  package var isMuted: Bool
  /// The code of the language that it asked for last; `nil` if it asked for none.
  package var language: String?
}

/// A browser in which the account that a contact is has switched alerts on.
package struct ContactBrowser: Hashable, Sendable {
  package var contact: Int16
  package var number: Int16
  package var target: PushTarget

  /// In delivery attempts, where contacts have positive numbers.
  package var recipient: Int16 { -number }
}

package struct Addresses: Hashable, Sendable {
  package var team: TeamID
  package var email: String?
  /// The push targets of the employee's devices, by number; without revoked devices.
  package var pushes: [PushAddress] = []
  /// The lowest number of a device whose app is open; `nil` if none is.
  package var openDevice: Int16?
  package var appSession: String?
  package var contacts: [TeamContact] = []
  package var browsers: [ContactBrowser] = []
}

extension Addresses {
  package func browsers(of contact: TeamContact) -> [ContactBrowser] {
    browsers.filter { $0.contact == contact.number }
  }

  /// Whether the contact's own address gets what is for it, and which browsers do. A
  /// contact that has chosen browsers alone gets e-mails while it has no browser.
  package func ways(to contact: TeamContact) -> (isOwn: Bool, browsers: [ContactBrowser]) {
    let (chosen, all) = (contact.choices.ways, browsers(of: contact))
    return (
      chosen.contains(ContactWays(.email)) || all.isEmpty,
      chosen.contains(ContactWays(.browser)) ? all : []
    )
  }
}

/// The addresses of `employee` and of the managers of their team; `nil` for an unknown employee.
package func addresses(
  of employee: EmployeeID, at now: Instant, on session: inout Session
) throws(PostgresError) -> Addresses? {
  var reading = AddressReading(of: [employee], managersOf: [employee], at: now)
  try session.run(&reading)
  return reading.found[employee]
}

/// Reads the addresses of employees, in as many statements for many as for one.
struct AddressReading: Reading {
  let statements: [SQL]
  private(set) var found: [EmployeeID: Addresses] = [:]

  /// - Parameter managed: Those of them whose managers' addresses are read, too.
  init(of employees: [EmployeeID], managersOf managed: [EmployeeID], at now: Instant) {
    let numbers = managed.map(\.rawValue)
    statements =
      [selectAddresses(of: employees, at: now), selectPushAddresses(of: employees)]
      + (numbers.isEmpty ? [] : [selectContacts(of: numbers), selectContactBrowsers(of: numbers)])
  }

  mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try rows.forEach { (row) throws(PostgresError) in
      let employee: EmployeeID = try row.next()
      switch position {
      case 0:
        let addresses = try Addresses(from: &row)
        found[employee] = found[employee] ?? addresses
      case 1:
        let push = try PushAddress(from: &row)
        found[employee]?.pushes.append(push)
      case 2:
        let contact = try TeamContact(from: &row)
        found[employee]?.contacts.append(contact)
      default:
        let browser = try ContactBrowser(from: &row)
        found[employee]?.browsers.append(browser)
      }
    }
  }
}

/// A row for each open app of an employee, the one with the lowest number first.
func selectAddresses(of employees: [EmployeeID], at now: Instant) -> SQL {
  """
  SELECT employee.employee_id, employee.team_id, employee.email, stream.device_no,
    stream.app_session
  FROM employee
  LEFT JOIN live_stream AS stream
    ON stream.employee_id = employee.employee_id AND stream.open_until > \(now)
  WHERE employee.employee_id \(equalsAny: employees.map(\.rawValue))
  ORDER BY stream.device_no
  """
}

func selectPushAddresses(of employees: [EmployeeID]) -> SQL {
  """
  SELECT push_target.employee_id, push_target.device_no, channel, address, sandbox, public_key,
    secret, registered_at, coalesce(report.notifications = \(Switch.off.column), false),
    device.language
  FROM push_target
  JOIN device ON device.employee_id = push_target.employee_id
    AND device.device_no = push_target.device_no
  LEFT JOIN permission_report AS report
    ON report.employee_id = device.employee_id AND report.report_id = device.newest_report_id
  WHERE push_target.employee_id \(equalsAny: employees.map(\.rawValue))
    AND device.revoked_at IS NULL
  ORDER BY push_target.device_no
  """
}

func selectContacts(of employees: [Int32]) -> SQL {
  """
  SELECT known.employee_id, \(fragment: TeamContact.columns)
  FROM (SELECT employee_id, team_id FROM employee WHERE employee_id \(equalsAny: employees))
    AS known
  JOIN team_contact ON team_contact.team_id = known.team_id
  \(fragment: TeamContact.order)
  """
}

func selectContactBrowsers(of employees: [Int32]) -> SQL {
  """
  SELECT known.employee_id, contact_no, browser_no, browser.address, public_key, browser.secret,
    added_at
  FROM (SELECT employee_id, team_id FROM employee WHERE employee_id \(equalsAny: employees))
    AS known
  JOIN team_contact ON team_contact.team_id = known.team_id
  JOIN account ON account.email = lower(team_contact.address)
  JOIN account_browser AS browser ON browser.account_id = account.account_id
  WHERE channel = \(Channel.email.column) AND disabled_at IS NULL
  ORDER BY contact_no, added_at, browser_no
  """
}

extension Addresses {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      team: try row.next(), email: try row.next(), openDevice: try row.next(),
      appSession: try row.next())
  }
}

extension PushAddress {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      device: try row.next(),
      target: PushTarget(
        try row.next(), address: try row.next(), isSandbox: try row.next(),
        publicKey: try row.next(), secret: try row.next(), registeredAt: try row.next()),
      isMuted: try row.next(), language: try row.next())
  }
}

extension ContactBrowser {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      contact: try row.next(), number: try row.next(),
      target: PushTarget(
        .webPush, address: try row.next(), publicKey: try row.next(), secret: try row.next(),
        registeredAt: try row.next()))
  }
}

extension TeamContact {
  fileprivate static let columns: StaticString = """
    contact_no, channel, address, language, topics, weekly_digest, quiet_from_min,
      quiet_until_min, urgent_in_quiet, ways, secret, previous_secret
    """
  fileprivate static let order: StaticString = "ORDER BY channel, contact_no"

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      number: try row.next(), channel: try row.next(), address: try row.next(),
      language: try row.next(), secrets: [], choices: try ContactChoices(from: &row))
    let (current, previous): ([UInt8]?, [UInt8]?) = (try row.next(), try row.next())
    secrets = [current, previous].compactMap { $0 }
  }
}

/// The push address of `device` without the address; `nil` if it has none.
package func pushAddressKind(of device: DeviceID, on session: inout Session)
  throws(PostgresError) -> PushAddressKind?
{
  try session.run(selectPushAddressKind(of: device)).first { (row) throws(PostgresError) in
    PushAddressKind(try row.next(), isSandbox: try row.next(), registeredAt: try row.next())
  }
}

func selectPushAddressKind(of device: DeviceID) -> SQL {
  """
  SELECT channel, sandbox, registered_at
  FROM push_target
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

package func register(_ target: PushTarget, of device: DeviceID) -> SQL {
  """
  INSERT INTO push_target AS known (
    employee_id, device_no, channel, sandbox, address, public_key, secret, registered_at)
  VALUES (
    \(device.employee.rawValue), \(device.number), \(target.channel.column), \(target.isSandbox),
    \(target.address), \(target.publicKey), \(target.secret), \(target.registeredAt))
  ON CONFLICT (employee_id, device_no) DO UPDATE
  SET channel = excluded.channel, sandbox = excluded.sandbox, address = excluded.address,
    public_key = excluded.public_key, secret = excluded.secret,
    registered_at = excluded.registered_at
  """
}

/// Removes a device's push target; with `end`, only if it was registered until then.
package func unregister(pushTargetOf device: DeviceID, until end: Instant?) -> SQL {
  """
  DELETE FROM push_target
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND registered_at <= coalesce(\(end), 'infinity')
  """
}

/// Locks a team's contacts until the transaction ends, so that those who add one take turns.
package func holdContacts(of team: TeamID) -> SQL {
  "SELECT FROM team WHERE team_id = \(team.rawValue) FOR NO KEY UPDATE"
}

/// Adds a contact of `team` under the next number. Violates `team_contact_once`.
package func insertContact(
  _ address: String, by channel: Channel, language: String, secret: [UInt8]?,
  choices: ContactChoices = ContactChoices(), of team: TeamID
) -> [SQL] {
  [
    "UPDATE team SET last_contact = last_contact + 1 WHERE team_id = \(team.rawValue)",
    """
    INSERT INTO team_contact (
      team_id, contact_no, channel, address, language, secret, topics, weekly_digest,
      quiet_from_min, quiet_until_min, urgent_in_quiet, ways)
    SELECT team_id, last_contact, \(channel.column), \(address), \(language), \(secret),
      \(choices.storedTopics), \(choices.topics.contains(.weeklyDigest)),
      \(choices.quiet?.from), \(choices.quiet?.until), \(choices.quiet?.letsUrgentPass ?? false),
      \(choices.ways.rawValue)
    FROM team WHERE team_id = \(team.rawValue)
    """,
  ]
}

/// Stores the language and the choices of a contact.
package func update(_ contact: TeamContact, of team: TeamID) -> SQL {
  let choices = contact.choices
  return """
    UPDATE team_contact
    SET language = \(contact.language), topics = \(choices.storedTopics),
      weekly_digest = \(choices.topics.contains(.weeklyDigest)),
      quiet_from_min = \(choices.quiet?.from), quiet_until_min = \(choices.quiet?.until),
      urgent_in_quiet = \(choices.quiet?.letsUrgentPass ?? false), ways = \(choices.ways.rawValue)
    WHERE team_id = \(team.rawValue) AND contact_no = \(contact.number)
    """
}

extension ContactChoices {
  /// Without the digest, which has a column of its own.
  fileprivate var storedTopics: Int16 { topics.subtracting(.weeklyDigest).rawValue }

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(topics: ContactTopics(rawValue: try row.next()))
    if try row.next() as Bool { topics.insert(.weeklyDigest) }
    let (from, until): (Int16?, Int16?) = (try row.next(), try row.next())
    let letsUrgentPass: Bool = try row.next()
    if let from, let until {
      quiet = QuietHours(from: from, until: until, letsUrgentPass: letsUrgentPass)
    }
    ways = ContactWays(rawValue: try row.next())
  }
}

/// Removes a contact of a team. Affects no row if there is none with this address.
package func deleteContact(_ address: String, by channel: Channel, of team: TeamID) -> SQL {
  """
  DELETE FROM team_contact
  WHERE team_id = \(team.rawValue) AND channel = \(channel.column) AND address = \(address)
  """
}

/// By channel, then in the order in which they were added.
package func contacts(of team: TeamID, on session: inout Session) throws(PostgresError)
  -> [TeamContact]
{
  try session.run(
    """
    SELECT \(fragment: TeamContact.columns) FROM team_contact WHERE team_id = \(team.rawValue)
    \(fragment: TeamContact.order)
    """
  ).map(TeamContact.init(from:))
}

/// The contacts with this address, in lower case, by team; of several in one, the first.
package func contacts(ofMailbox email: String, on session: inout Session) throws(PostgresError)
  -> [TeamID: TeamContact]
{
  var found: [TeamID: TeamContact] = [:]
  try session.run(selectContacts(ofMailbox: email)).forEach { (row) throws(PostgresError) in
    let (team, contact) = (try row.next() as TeamID, try TeamContact(from: &row))
    found[team] = found[team] ?? contact
  }
  return found
}

func selectContacts(ofMailbox email: String) -> SQL {
  """
  SELECT team_id, \(fragment: TeamContact.columns) FROM team_contact
  WHERE channel = \(Channel.email.column) AND lower(address) = \(email)
  \(fragment: TeamContact.order)
  """
}
