import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter in memory: in the entries of changes. */
export const audit: ReadonlyArray<Mutant> = [
  ...inFile("memory", "adapters/memory/Audit.ts", [
    {
      id: "audit.after",
      find: "newestFirst(after, entry) < 0",
      replace: "newestFirst(after, entry) <= 0",
      caughtBy: ["audit.list"],
    },
    {
      id: "audit.nothing",
      find: "if (before !== undefined || after !== undefined) ",
      replace: "",
      caughtBy: ["audit.endpoints.none"],
    },
  ]),
]
