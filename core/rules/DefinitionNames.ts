/** What the parts of a definition are called, and what others refer to. */
import { isPlainObject, type Json, ownString, quote } from "../model/Json.ts"
import { join, type ProblemReport } from "../model/ProblemReport.ts"

/** An object of a definition and where it stands. */
export interface Located {
  readonly path: string
  readonly object: Json
  readonly index: number
}

/** The objects in a list, one by one; what is no object is left to the check of the shape. */
export function* objectsIn(path: string, values: ReadonlyArray<unknown>): Generator<Located> {
  for (const [index, object] of values.entries()) {
    if (isPlainObject(object)) yield { path: join(path, index), object, index }
  }
}

/** What can be referred to, by id; the first of two with the same id stands. */
export class Names<A> {
  readonly #report: ProblemReport
  readonly #scope: string
  readonly #byId = new Map<string, { readonly path: string; readonly value: A }>()

  /** `scope` says among what ids must differ, e.g. "the steps". */
  constructor(report: ProblemReport, scope: string) {
    this.#report = report
    this.#scope = scope
  }

  add({ object, path }: Located, value: A): void {
    const id = ownString(object, "id")
    if (id === undefined || id === "") return
    const first = this.#byId.get(id)
    if (first === undefined) this.#byId.set(id, { path, value })
    else {
      const scope = this.#scope
      this.#report.add(
        `${path}.id`,
        () => `${quote(id)} is already the id of ${first.path}; ids must differ among ${scope}`,
      )
    }
  }

  get(id: string): A | undefined {
    return this.#byId.get(id)?.value
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }
}

/** A question as rules refer to it. */
export interface KnownQuestion {
  readonly index: number
  readonly path: string
  /** The ids of its answers; `undefined` if it should have answers and has no list of them, so that nothing is known. */
  readonly answers: Pick<ReadonlySet<string>, "has"> | undefined
}

/** What the parts of a definition refer to. */
export interface DefinitionNames {
  readonly report: ProblemReport
  readonly views: Set<string>
  readonly steps: Names<true>
  readonly printAreas: Names<true>
  readonly questions: Names<KnownQuestion>
  readonly rules: Names<true>
}
