import { Data } from "effect"

/** A case can't be judged here, which it sees only while it runs: it is left out. */
export class CaseSkipped extends Data.TaggedError("CaseSkipped")<{ readonly message: string }> {}
