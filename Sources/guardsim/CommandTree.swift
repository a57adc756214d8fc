import CommandParsing

/// What `guardsim` can be asked for.
let commandTree = Command(
  "guardsim", "phones over HTTP as real ones would be, and the rules in millions of lives",
  subcommands: [
    Command(
      "replay", "play a script of phones against a server",
      options: [
        .text(
          "server", "the server's address", default: "http://127.0.0.1:8080",
          environment: "SHIFTGUARD_SERVER"),
        .path("state", "keeps tokens and numbers from run to run; mode 0600"),
        .flag("json", "tell what happened in JSON"),
        .flag("quiet", "tell only what was not as expected"),
      ],
      arguments: [.path("script", "what the phones do; `guardsim language` explains it")],
      footer: """
        Ends with 0 when all was as expected, 1 when not, 65 for a script or a
        recording that cannot be followed, 74 for a state file that cannot be used.
        """),
    Command(
      "bench-rules", "time the rules",
      options: [
        .integer("rounds", "how often each is timed", in: 1...1_000, default: 9),
        .flag("json", "tell it in JSON"),
      ],
      footer: """
        Nanoseconds for one decision, comparison, step of an employee's state and coverage of a
        shift. Ends with 1 when a median misses its promise. Only -c release is held to them.
        """),
    Command("language", "explain the scripts' language"),
    Command(
      "rules", "try the rules in random lives, beside an oracle that knows the truth",
      options: [
        .integer("steps", "events to judge", in: 1...Int.max, default: 1_000_000),
        .integer("seed", "the first world's", in: 0...Int.max, default: 1),
        .integer("workers", "threads", in: 1...64, default: 2),
        .integer("until", "live one world to this step", in: 1...Int.max),
        .flag("trace", "tell each step of that one world"),
        .flag("quiet", "no progress on the terminal"),
      ],
      footer: """
        Each world begins from a seed of its own, counted up from the first. A promise
        that the rules break is told with the world's seed and the step, and ends it
        with 1. To see how it came about: --seed SEED --until STEP --trace.
        """),
  ])

/// The scripts' language, on one screen.
let languageText = """
  phone anna code $CODE platform ios os 17.5 model "iPhone 13"  # $: environment
  anna is always accuracy full services on background-fix on    # tells nobody
  anna report [PERMISSION] [trigger WORD]                       # tells the server
  anna clock-in [with-report]
  anna play drive.gpx [from TIME] [points N] live               # at its own pace
  anna play hike.gpx backlog [lead 1s]     # an offline shift that just ended
  anna ping [LATITUDE LONGITUDE [accuracy METERS]] [stationary]
  anna silent 30s
  anna clock-out                           # also: break-start, break-end, take-over
  anna check                               # and `look`: the app's first page
  anna expect status 409                   # of the step before; also:
      code|verdict|finding|incident|disposition|command|reason|tracking WORD|none
      stored|duplicate|refused N     detection|round-trip|fix under 5s
  wait 2s                                  # everybody meets here, then waits

  PERMISSION: always, when_in_use, denied, restricted, not_determined or unknown,
  then any of: grant prompt|settings|administrator, accuracy full|reduced, and
  services, notifications, battery-optimisation, background-refresh, power-save,
  foreground-service, background-fix, each on|off|unknown.
  Phones act at the same time, each in its own order. A step without an
  expectation must be answered 2xx, with no ping refused. A recording is named
  relative to the script; times look like 2020-12-18T06:16:48Z.
  """
