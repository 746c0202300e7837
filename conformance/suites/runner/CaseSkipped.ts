import { Data } from "effect"

/** A case that finds while running that it can't be judged here. It counts as skipped. */
export class CaseSkipped extends Data.TaggedError("CaseSkipped")<{ readonly message: string }> {}
