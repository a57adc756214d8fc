import Foundation

/// A Python script that controls one of Debian's browsers, run by the Python of `.build/browser`.
public struct BrowserScript: Sendable {
  private let name: String
  private let target: String
  /// After this time the script is ended, which fails the test.
  private static let secondsMax = 600

  /// - Parameter name: Of the script in `Tests/<target>/Browser`, without `.py`.
  public init(_ name: String, of target: String) {
    self.name = name
    self.target = target
  }

  /// The lines that the script prints, except its remarks, which begin with `#` and are printed.
  /// The scripts of one target run one at a time: many browsers on two cores would slow each other
  /// down. The lock is not passed on, because a browser that outlives its script would hold it for
  /// ever.
  /// - Throws: `ProgramError` if the script fails, takes too long, or `.build/browser` is missing.
  public func lines(_ arguments: [String], environment: [String: String] = [:]) async throws
    -> [Substring]
  {
    let folder = projectFolder.appending(path: ".build/browser")
    let python = folder.appending(path: "bin/python").path
    guard FileManager.default.fileExists(atPath: python) else {
      throw ProgramError(description: "there is no .build/browser; run deploy/checks/peers first")
    }
    let path = projectFolder.appending(path: "Tests/\(target)/Browser/\(name).py").path
    let text = try await ChildProgram(
      ["env"] + environment.map { "\($0.key)=\($0.value)" } + [
        "flock", "--close", folder.appending(path: "turn-\(target)").path,
        "timeout", "--kill-after=10", "\(Self.secondsMax)", python, "-B", path,
      ] + arguments
    ).output()
    let lines = text.split(separator: "\n")
    for remark in lines where remark.hasPrefix("#") { print(remark) }
    return lines.filter { !$0.hasPrefix("#") }
  }
}
