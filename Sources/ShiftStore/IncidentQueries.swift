public import GuardRules
public import Postgres
public import ShiftDomain

// Table incident.

func selectOpenIncidents(of employee: EmployeeID) -> SQL {
  """
  SELECT employee_id, incident_no, kind, origin, opened_at, debounced_until, notice_due_at, notices,
    told_kind, told_before
  FROM incident
  WHERE employee_id = \(employee.rawValue) AND closed_at IS NULL
  ORDER BY incident_no
  """
}

/// What is open of everybody in these teams, or only of these of them.
func selectOpenIncidents(in teams: [Int32], only employees: [Int32]?) -> SQL {
  """
  SELECT incident.employee_id, incident_no, kind, origin, opened_at, debounced_until, notice_due_at,
    notices, told_kind, told_before
  FROM incident
  JOIN employee ON employee.employee_id = incident.employee_id
  WHERE closed_at IS NULL AND employee.team_id = ANY (\(teams))
    AND (\(employees) IS NULL OR incident.employee_id = ANY (\(employees)))
  ORDER BY incident.employee_id, incident_no
  """
}

extension Rows {
  func openIncidents() throws(PostgresError) -> [OpenIncident] {
    var incidents: [OpenIncident] = []
    for row in 0..<count { incidents.append(try openIncident(row)) }
    return incidents
  }

  func openIncident(_ row: Int) throws(PostgresError) -> OpenIncident {
    OpenIncident(
      number: try value(row, 1), kind: try coded(row, 2), origin: try coded(row, 3),
      openedAt: try value(row, 4), debouncedUntil: try value(row, 5),
      noticeDueAt: try value(row, 6), notices: try value(row, 7),
      toldKind: try codedIfPresent(row, 8), wasToldBefore: try value(row, 9))
  }
}

/// Adds an open incident: reported by the phone itself, or concluded from its silence. Violates
/// `incident_one_open` when one of its dimension is open already.
public func insert(_ incident: OpenIncident, of shift: ShiftID, device: Int16) -> SQL {
  """
  INSERT INTO incident (
    employee_id, incident_no, shift_no, device_no, dimension, kind, origin, evidence, opened_at,
    debounced_until, notice_due_at, notices, told_kind)
  VALUES (
    \(shift.employee.rawValue), \(incident.number), \(shift.number), \(device),
    \(incident.kind.dimension.column), \(incident.kind.column), \(incident.origin.column),
    \(incident.kind.evidence.column), \(incident.openedAt), \(incident.debouncedUntil),
    \(incident.noticeDueAt), \(incident.notices), \(incident.toldKind?.column))
  """
}

extension IncidentKind {
  /// How we know of it when it opens.
  fileprivate var evidence: IncidentEvidence {
    switch self {
    case .noContact, .noFix: .inferred
    default: .reported
    }
  }
}

/// Gives an open incident another kind; a worse one is stamped with `worsenedAt`.
public func update(_ incident: OpenIncident, of employee: EmployeeID, worsenedAt: Instant?) -> SQL {
  """
  UPDATE incident
  SET kind = \(incident.kind.column), worsened_at = coalesce(\(worsenedAt), worsened_at),
    notice_due_at = \(incident.noticeDueAt), told_kind = \(incident.toldKind?.column),
    told_before = \(incident.wasToldBefore)
  WHERE employee_id = \(employee.rawValue) AND incident_no = \(incident.number)
    AND closed_at IS NULL
  """
}

/// Notes on an incident that a message about it was queued.
public func noteNotice(_ notice: Notice, of employee: EmployeeID) -> SQL {
  """
  UPDATE incident SET notice_due_at = \(notice.dueAt), notices = \(notice.ordinal)
  WHERE employee_id = \(employee.rawValue) AND incident_no = \(notice.subject)
  """
}

/// Notes on an incident that its only message was taken back: nobody was told.
public func noteCancelled(_ incident: IncidentID, ordinal: Int16) -> SQL {
  """
  UPDATE incident SET notice_due_at = NULL
  WHERE employee_id = \(incident.employee.rawValue) AND incident_no = \(incident.number)
    AND notices = \(ordinal) AND notices = 1
  """
}

/// Closes an incident.
public func close(_ incident: IncidentID, at instant: Instant, _ closing: IncidentClosing) -> SQL {
  """
  UPDATE incident SET closed_at = \(instant), closing = \(closing.column)
  WHERE employee_id = \(incident.employee.rawValue) AND incident_no = \(incident.number)
    AND closed_at IS NULL
  """
}

/// Notes what the silence of a device around `instant` was, as later evidence tells: the first that
/// tells counts. The silence began before it was too long. Nobody is told of a past cause.
public func explainSilence(
  of device: DeviceID, shift: Int32, around instant: Instant, by kind: IncidentKind
) -> SQL {
  """
  UPDATE incident SET explained_by = \(kind.column), evidence = \(IncidentEvidence.inferred.column)
  WHERE employee_id = \(device.employee.rawValue) AND shift_no = \(shift)
    AND device_no = \(device.number) AND dimension = \(Dimension.contact.column)
    AND opened_at <= \(instant)::timestamptz + (
      SELECT fix_age_max_ms FROM shift
      WHERE employee_id = \(device.employee.rawValue) AND shift_no = \(shift)
    ) * interval '1 ms'
    AND (closed_at IS NULL OR closed_at >= \(instant)) AND explained_by IS NULL
  """
}

/// An incident as stored and listed.
public struct IncidentRow: Hashable, Sendable {
  /// The incident.
  public var incident: IncidentID
  /// The shift it belongs to.
  public var shift: ShiftID
  /// What it is, or was last, about.
  public var kind: IncidentKind
  /// When it began, seen from the shift.
  public var origin: IncidentOrigin
  /// How we know.
  public var evidence: IncidentEvidence
  /// Since when.
  public var openedAt: Instant
  /// When it last became worse.
  public var worsenedAt: Instant?
  /// When it ended; `nil` while open.
  public var closedAt: Instant?
  /// Why it ended.
  public var closing: IncidentClosing?
  /// What a silence was, as later evidence told; `nil` when nothing did.
  public var explainedBy: IncidentKind?
  /// When the newest message about it was due; `nil` when nobody was told.
  public var toldAt: Instant?
}

/// The columns that `Rows.incidentRows` decodes, of the table `incident`.
let incidentColumns: StaticString = """
  incident.employee_id, incident_no, shift_no, kind, origin, evidence, opened_at, worsened_at,
  closed_at, closing, explained_by, notice_due_at
  """

/// Incidents of `employee`, or of everybody, newest first; with `number` just that one, with
/// `shift` those of that shift.
public func incidents(
  of employee: EmployeeID?, number: Int32?, shift: Int32? = nil, openOnly: Bool, limit: Int32,
  on session: inout Session
) throws(PostgresError) -> [IncidentRow] {
  let rows = try session.run(
    """
    SELECT \(fragment: incidentColumns)
    FROM incident
    WHERE (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
      AND (\(number) IS NULL OR incident_no = \(number))
      AND (\(shift) IS NULL OR shift_no = \(shift))
      AND (NOT \(openOnly) OR closed_at IS NULL)
    ORDER BY opened_at DESC, employee_id, incident_no DESC
    LIMIT \(limit)
    """)
  return try rows.incidentRows()
}

extension Rows {
  func incidentRows() throws(PostgresError) -> [IncidentRow] {
    var records: [IncidentRow] = []
    for row in 0..<count {
      let employee = EmployeeID(try value(row, 0))
      records.append(
        IncidentRow(
          incident: IncidentID(employee: employee, number: try value(row, 1)),
          shift: ShiftID(employee: employee, number: try value(row, 2)),
          kind: try coded(row, 3), origin: try coded(row, 4), evidence: try coded(row, 5),
          openedAt: try value(row, 6), worsenedAt: try value(row, 7), closedAt: try value(row, 8),
          closing: try codedIfPresent(row, 9), explainedBy: try codedIfPresent(row, 10),
          toldAt: try value(row, 11)))
    }
    return records
  }
}
