import JSONText
import ShiftDomain

extension Scenario {
  /// The lines in order of time, with one line for each fix.
  var steps: [ScenarioLine] {
    var steps: [ScenarioLine] = []
    for line in lines {
      guard case .fixes(let letter, let every, let until, let members, let expects) = line.action
      else {
        steps.append(line)
        continue
      }
      let fix: JSONValue = [
        "latitude": .number(52.5), "longitude": .number(13.4), "accuracy": .integer(10),
      ]
      var ping = members ?? .object([:])
      if case .object(let object) = fix {
        for member in object.members { ping = ping.adding(member.name, member.value) }
      }
      for milliseconds in stride(
        from: line.at.milliseconds, through: until.milliseconds, by: Int(every.milliseconds))
      {
        steps.append(
          ScenarioLine(
            number: line.number, at: .milliseconds(milliseconds),
            action: .pings(letter, [ping], isBatch: false, expects: expects)))
      }
    }
    // Stable: of lines at the same time, the first one written comes first.
    return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }
}
