public import Postgres
public import ShiftDomain

// Tables push_target, team_contact and webhook, and employee.email: where people are reached.

/// Where a device gets its pushes.
public struct PushTarget: Hashable, Sendable {
  /// APNs, FCM or Web Push.
  public var channel: Channel
  /// APNs: of a development build.
  public var isSandbox: Bool
  /// The provider's token, or a browser's endpoint; 1…2,048 characters.
  public var address: String
  /// Web Push: the browser's key, 65 bytes; `nil` for others.
  public var publicKey: [UInt8]?
  /// Web Push: its authentication secret, 16 bytes; `nil` for others.
  public var secret: [UInt8]?
  /// When it was registered. Server time.
  public var registeredAt: Instant

  /// A target.
  public init(
    _ channel: Channel, address: String, isSandbox: Bool = false, publicKey: [UInt8]? = nil,
    secret: [UInt8]? = nil, registeredAt: Instant
  ) {
    self.channel = channel
    self.isSandbox = isSandbox
    self.address = address
    self.publicKey = publicKey
    self.secret = secret
    self.registeredAt = registeredAt
  }
}

/// A team's program that is told what managers are.
public struct Webhook: Hashable, Sendable {
  /// Its number within the team, from 1001.
  public var number: Int16
  /// Where; https.
  public var url: String
  /// What signs the requests; 24…64 bytes.
  public var secret: [UInt8]
  /// What signs them besides until the receiver knows the new one.
  public var formerSecret: [UInt8]?
}

/// Somebody who is told for a team.
public struct TeamContact: Hashable, Sendable {
  /// Their number within the team, from 1.
  public var number: Int16
  /// Their e-mail address.
  public var email: String
}

/// Where an employee and the managers of their team are reached.
public struct Addresses: Hashable, Sendable {
  /// The team.
  public var team: TeamID
  /// The employee's e-mail address.
  public var email: String?
  /// The device asked for; `nil` without one, or when it has no target.
  public var push: PushTarget?
  /// Whether the device's app is open.
  public var isLive = false
  /// The team's managers.
  public var contacts: [TeamContact] = []
  /// The team's programs.
  public var webhooks: [Webhook] = []
}

/// Where `employee` and the managers of their team are reached; `nil` for an unknown employee.
/// - Parameter device: Whose push target and stream count.
public func addresses(
  of employee: EmployeeID, device: Int16?, at now: Instant, on session: inout Session
) throws(PostgresError) -> Addresses? {
  var found: Addresses?
  try session.pipeline(
    selectAddresses(of: employee, device: device, isForManagers: true, at: now)
  ) { (position, rows) throws(PostgresError) in try rows.addAddresses(position, to: &found) }
  return found
}

/// - Parameter isForManagers: Whether those of the managers are asked for.
func selectAddresses(
  of employee: EmployeeID, device: Int16?, isForManagers: Bool, at now: Instant
) -> [SQL] {
  let own: [SQL] = [
    """
    SELECT employee.team_id, employee.email,
      EXISTS (
        SELECT FROM live_stream
        WHERE employee_id = employee.employee_id AND device_no = \(device)
          AND open_until > \(now))
    FROM employee WHERE employee_id = \(employee.rawValue)
    """,
    """
    SELECT channel, sandbox, address, public_key, secret, registered_at
    FROM push_target
    WHERE employee_id = \(employee.rawValue) AND device_no = \(device)
      AND NOT EXISTS (
        SELECT FROM device
        WHERE device.employee_id = push_target.employee_id
          AND device.device_no = push_target.device_no AND device.revoked_at IS NOT NULL)
    """,
  ]
  guard isForManagers else { return own }
  return own + [
    """
    SELECT contact_no, email FROM team_contact
    WHERE team_id = (SELECT team_id FROM employee WHERE employee_id = \(employee.rawValue))
    ORDER BY contact_no
    """,
    """
    SELECT webhook_no, url, secret, former_secret FROM webhook
    WHERE team_id = (SELECT team_id FROM employee WHERE employee_id = \(employee.rawValue))
    ORDER BY webhook_no
    """,
  ]
}

extension Rows {
  /// Adds to `found` what the statement at `position` of `selectAddresses` found.
  func addAddresses(_ position: Int, to found: inout Addresses?) throws(PostgresError) {
    for row in 0..<count {
      switch position {
      case 0:
        found = Addresses(team: TeamID(try value(row, 0)), email: try value(row, 1))
        found?.isLive = try value(row, 2)
      case 1:
        found?.push = PushTarget(
          try coded(row, 0), address: try value(row, 2), isSandbox: try value(row, 1),
          publicKey: try value(row, 3), secret: try value(row, 4),
          registeredAt: try value(row, 5))
      case 2:
        found?.contacts.append(
          TeamContact(number: try value(row, 0), email: try value(row, 1)))
      default:
        found?.webhooks.append(
          Webhook(
            number: try value(row, 0), url: try value(row, 1), secret: try value(row, 2),
            formerSecret: try value(row, 3)))
      }
    }
  }
}

/// A device gets its pushes there from now on.
public func register(_ target: PushTarget, of device: DeviceID) -> SQL {
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

/// A device gets no pushes any more.
/// - Parameter end: Only what was registered until then; `nil`: whatever it is.
public func unregister(pushTargetOf device: DeviceID, until end: Instant?) -> SQL {
  """
  DELETE FROM push_target
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND registered_at <= coalesce(\(end), 'infinity')
  """
}

/// Sets or forgets an employee's e-mail address. Affects no row for an unknown employee; violates
/// `employee_email_length`.
public func setEmail(_ email: String?, of employee: EmployeeID) -> SQL {
  "UPDATE employee SET email = \(email) WHERE employee_id = \(employee.rawValue)"
}

/// Adds somebody who is told for a team, under the next number. Violates `team_contact_once`, or
/// `team_contact_team_id_fkey` for an unknown team.
public func insertContact(_ email: String, of team: TeamID) -> SQL {
  """
  INSERT INTO team_contact (team_id, contact_no, email)
  SELECT \(team.rawValue), coalesce(max(contact_no), 0) + 1, \(email)
  FROM team_contact WHERE team_id = \(team.rawValue)
  """
}

/// Takes a contact of a team out. Affects no row when there is none of this address.
public func deleteContact(_ email: String, of team: TeamID) -> SQL {
  "DELETE FROM team_contact WHERE team_id = \(team.rawValue) AND email = \(email)"
}

/// Adds a program that is told, under the next number. Violates `webhook_once`, or
/// `webhook_team_id_fkey` for an unknown team.
public func insertWebhook(_ url: String, secret: [UInt8], of team: TeamID) -> SQL {
  """
  INSERT INTO webhook (team_id, webhook_no, url, secret)
  SELECT \(team.rawValue), coalesce(max(webhook_no), 1000) + 1, \(url), \(secret)
  FROM webhook WHERE team_id = \(team.rawValue)
  """
}

/// Takes a program of a team out. Affects no row when there is none of this address.
public func deleteWebhook(_ url: String, of team: TeamID) -> SQL {
  "DELETE FROM webhook WHERE team_id = \(team.rawValue) AND url = \(url)"
}

/// Who is told for a team, by number.
public func contacts(of team: TeamID, on session: inout Session) throws(PostgresError)
  -> [TeamContact]
{
  let rows = try session.run(
    """
    SELECT contact_no, email FROM team_contact WHERE team_id = \(team.rawValue)
    ORDER BY contact_no
    """)
  var contacts: [TeamContact] = []
  for row in 0..<rows.count {
    contacts.append(TeamContact(number: try rows.value(row, 0), email: try rows.value(row, 1)))
  }
  return contacts
}

/// Where the programs are that are told for a team, by number.
public func webhooks(of team: TeamID, on session: inout Session) throws(PostgresError) -> [String] {
  let rows = try session.run(
    "SELECT url FROM webhook WHERE team_id = \(team.rawValue) ORDER BY webhook_no")
  var urls: [String] = []
  for row in 0..<rows.count { urls.append(try rows.value(row, 0)) }
  return urls
}
