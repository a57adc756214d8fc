/// A recipe of `CONTRIBUTING.md`: how to add a thing of one kind.
struct Recipe {
  /// As it stands there in bold, such as `A channel`.
  let name: String
  let text: String

  /// Those under the heading `How to add …`, in order.
  static func all(in document: String) -> [Recipe] {
    guard let start = document.range(of: "\n## How to add …\n")?.upperBound else { return [] }
    let rest = document[start...]
    let section = rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    return section.split(separator: "\n\n").compactMap { paragraph in
      guard paragraph.hasPrefix("**"),
        let end = paragraph.dropFirst(2).range(of: "**")?.lowerBound
      else { return nil }
      return Recipe(name: String(paragraph.dropFirst(2)[..<end]), text: String(paragraph))
    }
  }

  /// What it names in backticks that is a file or a folder of them.
  var places: [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      .filter { place in
        let isFile = Self.endings.contains { place.hasSuffix($0) }
        return isFile || (place.first?.isUppercase == true && place.contains("/"))
      }
  }

  private static let endings = [".swift", ".yaml", ".html", ".js", ".lua"]

  /// The paths that `place` means: below `Sources` or the top level, or a file named alone. `…` and
  /// `<…>` stand for any name.
  static func paths(_ place: String, among paths: [String]) -> [String] {
    let parts = parts(of: place)
    return paths.filter { path in
      let below = path.hasPrefix("Sources/") ? String(path.dropFirst("Sources/".count)) : path
      let name = String(path.split(separator: "/").last ?? "")
      return [path, below, name].contains { matches($0, parts) }
        || below.hasPrefix(place + "/") || path.hasPrefix(place + "/")
    }
  }

  private static func parts(of place: String) -> [String] {
    var parts = [""]
    var isAny = false
    for character in place {
      switch character {
      case "…", "<":
        if parts.last != "" || parts.count == 1 { parts.append("") }
        isAny = character == "<"
      case ">": isAny = false
      default: if !isAny { parts[parts.count - 1].append(character) }
      }
    }
    return parts
  }

  /// Whether `text` begins with the first part, ends with the last, and has the others between.
  private static func matches(_ text: String, _ parts: [String]) -> Bool {
    guard parts.count > 1 else { return text == parts[0] }
    guard text.hasPrefix(parts[0]), text.hasSuffix(parts[parts.count - 1]) else { return false }
    var rest = text.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let end = rest.range(of: part)?.upperBound else { return false }
      rest = rest[end...]
    }
    return true
  }
}
