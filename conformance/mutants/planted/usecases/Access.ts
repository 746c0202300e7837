import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the use cases: in letting requests in. */
export const access: ReadonlyArray<Mutant> = [
  ...inFile("usecases", "core/usecases/Authenticate.ts", [
    {
      id: "auth.mark",
      find: "          if (mark !== changes) return\n",
      replace: "",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST refuse a token at once on the host that revoked it, also while it is being looked up",
      ],
    },
    {
      id: "auth.committed",
      find: "if (committed) known.remember",
      replace: "known.remember",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST NOT remember what is not committed: each request asks the store anew",
      ],
    },
    {
      id: "auth.trusted",
      find: "const trusted = 500",
      replace: "const trusted = 5000",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST believe a revoked token for less than a second where it hears of no revocation",
      ],
    },
    {
      id: "auth.heard",
      find: "if (yield* tokens.caughtUp) heardUntil = now",
      replace: "heardUntil = now",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST believe a revoked token for less than a second where it hears of no revocation",
      ],
    },
    {
      id: "auth.all",
      find: "          known.clear()\n",
      replace: "",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST ask the store about every token again where it may have missed what other hosts changed",
      ],
    },
    {
      id: "auth.form",
      find: "if (!TokenFormat.isWellFormed(text)) return",
      replace: 'if (text === "") return',
      caughtBy: ["core/usecases/Authenticate.test.ts > MUST NOT ask the store about what has not the form of a token"],
    },
    {
      id: "auth.use",
      find: "now - token.lastUsedAt >= useResolution",
      replace: "now - token.lastUsedAt >= 0",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST record a use once a minute, without making the request wait or fail",
      ],
    },
    {
      id: "auth.kept",
      find: "          forget(entry.digest)\n",
      replace: "",
      caughtBy: [
        "core/usecases/Authenticate.test.ts > MUST keep nothing of a token in memory for long once it is no longer trusted",
      ],
    },
  ]),
  ...inFile("usecases", "core/usecases/LimitRequest.ts", [
    {
      id: "limit.default",
      find: "limit: 120, window: 60_000",
      replace: "limit: 121, window: 60_000",
      caughtBy: [
        "core/usecases/LimitRequest.test.ts > MUST accept 120 in any 60 seconds by default, by the clock at hand",
      ],
    },
  ]),
]
