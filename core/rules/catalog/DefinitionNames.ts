/** Names in a definition, and the references to them. */
import { isPlainObject, type Json, ownString, quote } from "../../model/json/Json.ts"
import { join, type ProblemReport } from "../../model/Problem.ts"

/** An object of a definition and its path. */
export interface Located {
  readonly path: string
  readonly object: Json
  readonly index: number
}

/** Yields the objects of a list; the shape check reports all other items. */
export function* objectsIn(path: string, values: ReadonlyArray<unknown>): Generator<Located> {
  for (const [index, object] of values.entries()) {
    if (isPlainObject(object)) yield { path: join(path, index), object, index }
  }
}

/** Everything that can be referred to, by id. If two have the same id, the first one counts. */
export class Names<A> {
  readonly #report: ProblemReport
  readonly #scope: string
  readonly #byId = new Map<string, { readonly path: string; readonly value: A }>()

  /** `scope` names the set in which ids must differ, e.g. "the steps". */
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
  /** Answer ids; `undefined` if the question should have answers but has no list of them, so nothing is known. */
  readonly answers: Pick<ReadonlySet<string>, "has"> | undefined
}

/** Everything that the parts of a definition can refer to. */
export interface DefinitionNames {
  readonly report: ProblemReport
  readonly views: Set<string>
  readonly steps: Names<true>
  readonly printAreas: Names<true>
  readonly questions: Names<KnownQuestion>
  readonly rules: Names<true>
}
