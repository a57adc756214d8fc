import CommandParsing
import Guidance
import ManagerOperations
import PolicyOperations
import ReadModels

let privacyCommands = Group(
  "privacy", "what employees and a works council ask", brief: "works council's report",
  Leaf(
    Command(
      "report", "print what is recorded, when, why, who sees it and for how long",
      options: [
        .choice(
          "language", "language of the report", among: Language.allCases.map(\.code),
          default: Language.english.code)
      ],
      footer: """
        From the policies, contacts, rights and retention of now, and from the settings of \
        guardd that are visible here. It ends with a draft of a data protection impact \
        assessment. The page Settings › Report for a works council prints the same.
        """),
    .operations(report)
  ).listed(aliases: ["list", "ls"]))

private func report(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let language = call.parsed.string("language").flatMap { Language(code: $0) } ?? .english
  let facts = try await operations.policies.privacyFacts()
  return Script(text: facts.report(call.outsideParties, in: language).lines.map(\.showable))
}

extension Invocation {
  /// Nothing is known of channels if no file of them is visible here.
  fileprivate var outsideParties: OutsideParties {
    let settings = serviceSettings
    let isKnown = settings?.read.values.string("channels") != nil
    let channels = settings?.checked.channels
    return OutsideParties(
      channels: isKnown ? channels?.setUp : nil, mailServer: channels?.setup.details[.email],
      map: settings?.checked.maps.tiles?.origin)
  }
}
