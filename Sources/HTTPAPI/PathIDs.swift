import HTTPServing
import OperationCore
import ShiftDomain

// The ids in a path. An impossible number is answered like the number of nothing: `.notFound`.
extension HTTPRequest {
  /// The number in the path's segment `{name}`.
  /// - Parameter thing: What does not exist if it is not a number; by default the name.
  package func pathNumber<Number: FixedWidthInteger>(
    _ name: String, of thing: String? = nil
  ) throws(OperationError) -> Number {
    guard let number = parameters[name].flatMap({ Number($0) }) else {
      throw .notFound(thing ?? name)
    }
    return number
  }

  package var pathEmployee: EmployeeID {
    get throws(OperationError) {
      let employee = EmployeeID(try pathNumber("employee"))
      guard employee.rawValue > 0 else { throw .notFound("employee") }
      return employee
    }
  }

  package var pathTeam: TeamID {
    get throws(OperationError) { TeamID(try pathNumber("team")) }
  }

  package var pathContact: Int16 {
    get throws(OperationError) { try pathNumber("contact") }
  }

  package var pathSite: Int16 {
    get throws(OperationError) { try pathNumber("site") }
  }

  package var pathAccount: AccountID {
    get throws(OperationError) { AccountID(try pathNumber("account")) }
  }

  package var pathSession: SessionID {
    get throws(OperationError) { SessionID(try pathNumber("session")) }
  }

  package var pathClockAction: Int32 {
    get throws(OperationError) { try pathNumber("clockAction", of: "clock action") }
  }

  package var pathShift: ShiftID {
    get throws(OperationError) {
      ShiftID(employee: try pathEmployee, number: try pathNumber("shift"))
    }
  }

  package var pathIncident: IncidentID {
    get throws(OperationError) {
      IncidentID(employee: try pathEmployee, number: try pathNumber("incident"))
    }
  }

  package var pathDevice: DeviceID {
    get throws(OperationError) {
      DeviceID(employee: try pathEmployee, number: try pathNumber("device"))
    }
  }
}
