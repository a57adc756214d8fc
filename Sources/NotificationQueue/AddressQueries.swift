public import Postgres
public import ShiftDomain

// Tables push_target, team_contact and webhook, and employee.email: the addresses for
// notifications.

/// A device's push target.
public struct PushTarget: Hashable, Sendable {
  /// APNs, FCM or Web Push.
  public var channel: Channel
  /// APNs: whether it is a development build.
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

/// A team's webhook.
public struct Webhook: Hashable, Sendable {
  /// Its number within the team, from 1001.
  public var number: Int16
  /// Its URL; https.
  public var url: String
  /// The signing secret; 24…64 bytes.
  public var secret: [UInt8]
  /// The previous secret, which also signs until the receiver knows the new one.
  public var formerSecret: [UInt8]?
}

/// A contact of a team.
public struct TeamContact: Hashable, Sendable {
  /// Their number within the team, from 1.
  public var number: Int16
  /// Their e-mail address.
  public var email: String
  /// The code of their language.
  public var language: String
}

/// A device with a push target.
public struct PushAddress: Hashable, Sendable {
  /// Its number within the employee.
  public var device: Int16
  /// Its push target.
  public var target: PushTarget
  /// Whether it reported that it shows no notifications, so that a push reaches nobody.
  public var isMuted: Bool
  /// The code of the language that it asked for last; `nil` if it asked for none.
  public var language: String?
}

/// The addresses of an employee and of the managers of their team.
public struct Addresses: Hashable, Sendable {
  /// The team.
  public var team: TeamID
  /// The employee's e-mail address.
  public var email: String?
  /// The push targets of the employee's devices, by number; without revoked devices.
  public var pushes: [PushAddress] = []
  /// The lowest number of a device whose app is open; `nil` if none is.
  public var openDevice: Int16?
  /// The session of that app; `nil` if it sent none.
  public var appSession: String?
  /// The team's contacts.
  public var contacts: [TeamContact] = []
  /// The team's webhooks.
  public var webhooks: [Webhook] = []
}

/// The addresses of `employee` and of the managers of their team; `nil` for an unknown employee.
public func addresses(
  of employee: EmployeeID, at now: Instant, on session: inout Session
) throws(PostgresError) -> Addresses? {
  var found: Addresses?
  try session.pipeline(
    selectAddresses(of: employee, isForManagers: true, at: now)
  ) { (position, rows) throws(PostgresError) in try rows.addAddresses(position, to: &found) }
  return found
}

/// - Parameter isForManagers: Whether the managers' addresses are needed.
func selectAddresses(of employee: EmployeeID, isForManagers: Bool, at now: Instant) -> [SQL] {
  let own: [SQL] = [
    """
    SELECT employee.team_id, employee.email, stream.device_no, stream.app_session
    FROM employee
    LEFT JOIN LATERAL (
      SELECT device_no, app_session FROM live_stream
      WHERE live_stream.employee_id = employee.employee_id AND open_until > \(now)
      ORDER BY device_no LIMIT 1) AS stream ON true
    WHERE employee.employee_id = \(employee.rawValue)
    """,
    """
    SELECT channel, sandbox, address, public_key, secret, registered_at, push_target.device_no,
      coalesce(report.notifications = \(Switch.off.column), false), device.language
    FROM push_target
    JOIN device ON device.employee_id = push_target.employee_id
      AND device.device_no = push_target.device_no
    LEFT JOIN permission_report AS report
      ON report.employee_id = device.employee_id AND report.report_id = device.newest_report_id
    WHERE push_target.employee_id = \(employee.rawValue) AND device.revoked_at IS NULL
    ORDER BY push_target.device_no
    """,
  ]
  guard isForManagers else { return own }
  return own + [
    """
    SELECT contact_no, email, language FROM team_contact
    WHERE team_id = (SELECT team_id FROM employee WHERE employee_id = \(employee.rawValue))
    ORDER BY contact_no
    """,
    """
    SELECT webhook_no, url, secret, previous_secret FROM webhook
    WHERE team_id = (SELECT team_id FROM employee WHERE employee_id = \(employee.rawValue))
    ORDER BY webhook_no
    """,
  ]
}

extension Rows {
  /// Adds the result of the statement at `position` of `selectAddresses` to `found`.
  func addAddresses(_ position: Int, to found: inout Addresses?) throws(PostgresError) {
    for row in 0..<count {
      switch position {
      case 0:
        found = Addresses(team: TeamID(try value(row, 0)), email: try value(row, 1))
        found?.openDevice = try value(row, 2)
        found?.appSession = try value(row, 3)
      case 1:
        let target = PushTarget(
          try coded(row, 0), address: try value(row, 2), isSandbox: try value(row, 1),
          publicKey: try value(row, 3), secret: try value(row, 4),
          registeredAt: try value(row, 5))
        found?.pushes.append(
          PushAddress(
            device: try value(row, 6), target: target, isMuted: try value(row, 7),
            language: try value(row, 8)))
      case 2:
        found?.contacts.append(
          TeamContact(
            number: try value(row, 0), email: try value(row, 1), language: try value(row, 2)))
      default:
        found?.webhooks.append(
          Webhook(
            number: try value(row, 0), url: try value(row, 1), secret: try value(row, 2),
            formerSecret: try value(row, 3)))
      }
    }
  }
}

/// Sets a device's push target.
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

/// Removes a device's push target.
/// - Parameter end: Only if it was registered until then; `nil`: in any case.
public func unregister(pushTargetOf device: DeviceID, until end: Instant?) -> SQL {
  """
  DELETE FROM push_target
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND registered_at <= coalesce(\(end), 'infinity')
  """
}

/// Sets or removes an employee's e-mail address. Affects no row for an unknown employee; violates
/// `employee_email_length`.
public func setEmail(_ email: String?, of employee: EmployeeID) -> SQL {
  "UPDATE employee SET email = \(email) WHERE employee_id = \(employee.rawValue)"
}

/// Adds a contact of a team, under the next number. Violates `team_contact_once`, or
/// `team_contact_team` for an unknown team.
/// - Parameter language: The code of the contact's language.
public func insertContact(_ email: String, language: String, of team: TeamID) -> SQL {
  """
  INSERT INTO team_contact (team_id, contact_no, email, language)
  SELECT \(team.rawValue), coalesce(max(contact_no), 0) + 1, \(email), \(language)
  FROM team_contact WHERE team_id = \(team.rawValue)
  """
}

/// Removes a contact of a team. Affects no row if there is none with this address.
public func deleteContact(_ email: String, of team: TeamID) -> SQL {
  "DELETE FROM team_contact WHERE team_id = \(team.rawValue) AND email = \(email)"
}

/// Adds a webhook of a team, under the next number. Violates `webhook_once`, or
/// `webhook_team` for an unknown team.
public func insertWebhook(_ url: String, secret: [UInt8], of team: TeamID) -> SQL {
  """
  INSERT INTO webhook (team_id, webhook_no, url, secret)
  SELECT \(team.rawValue), coalesce(max(webhook_no), 1000) + 1, \(url), \(secret)
  FROM webhook WHERE team_id = \(team.rawValue)
  """
}

/// Removes a webhook of a team. Affects no row if there is none with this URL.
public func deleteWebhook(_ url: String, of team: TeamID) -> SQL {
  "DELETE FROM webhook WHERE team_id = \(team.rawValue) AND url = \(url)"
}

/// The contacts of a team, by number.
public func contacts(of team: TeamID, on session: inout Session) throws(PostgresError)
  -> [TeamContact]
{
  let rows = try session.run(
    """
    SELECT contact_no, email, language FROM team_contact WHERE team_id = \(team.rawValue)
    ORDER BY contact_no
    """)
  var contacts: [TeamContact] = []
  for row in 0..<rows.count {
    contacts.append(
      TeamContact(
        number: try rows.value(row, 0), email: try rows.value(row, 1),
        language: try rows.value(row, 2)))
  }
  return contacts
}

/// The webhooks of a team, by number.
public func webhooks(of team: TeamID, on session: inout Session) throws(PostgresError) -> [String] {
  let rows = try session.run(
    "SELECT url FROM webhook WHERE team_id = \(team.rawValue) ORDER BY webhook_no")
  var urls: [String] = []
  for row in 0..<rows.count { urls.append(try rows.value(row, 0)) }
  return urls
}
