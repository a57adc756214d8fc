// Everything that belongs to an employee is numbered within that employee, so its public id
// contains the employee, and a look-up goes to one shard.

/// An employee's number, given by the administrator or the next that nobody has had; above zero.
public struct EmployeeID: Hashable, Comparable, Sendable {
  public var rawValue: Int32

  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  public static func < (left: EmployeeID, right: EmployeeID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A team's number; above zero.
public struct TeamID: Hashable, Sendable {
  public var rawValue: Int32

  public init(_ rawValue: Int32) { self.rawValue = rawValue }
}

/// One enrolment of one phone: a reinstalled app is a new device.
public struct DeviceID: Hashable, Sendable {
  public var employee: EmployeeID
  /// Its number among that employee's devices, from 1.
  public var number: Int16

  public init(employee: EmployeeID, number: Int16) {
    self.employee = employee
    self.number = number
  }
}

public struct ShiftID: Hashable, Sendable {
  public var employee: EmployeeID
  /// Its number among that employee's shifts, from 1.
  public var number: Int32

  public init(employee: EmployeeID, number: Int32) {
    self.employee = employee
    self.number = number
  }
}

public struct IncidentID: Hashable, Sendable {
  public var employee: EmployeeID
  /// Its number among that employee's incidents, from 1.
  public var number: Int32

  public init(employee: EmployeeID, number: Int32) {
    self.employee = employee
    self.number = number
  }
}

/// Sorts by time (`Instant.firstID`); unique within the employee. In JSON a string.
public struct ReportID: Hashable, Sendable {
  public var rawValue: Int64

  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// An account's number; above zero.
public struct AccountID: Hashable, Sendable {
  public var rawValue: Int32

  public init(_ rawValue: Int32) { self.rawValue = rawValue }
}

/// A session's id, which sorts by time (`Instant.firstID`). Over 53 bits, so a string in JSON.
public struct SessionID: Hashable, Sendable {
  public var rawValue: Int64

  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}
