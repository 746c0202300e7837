import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join, normalize, parse } from "node:path"
import { sourcesIn } from "../../../testkit/processes/Sources.ts"

/** The files of a source that a file names: imports, and what it starts as a process. Types alone are no reason. */
const namedIn = (root: string, file: string): ReadonlyArray<string> => {
  const source = readFileSync(join(root, file), "utf8").replace(/^(import|export) type [^;"]*"[^"]*"$/gm, "")
  return [...source.matchAll(/"([^"\s]+\.tsx?)"/g)].flatMap(([_, name = ""]) =>
    [join(dirname(file), name), normalize(name)].filter(
      (path) => !path.startsWith("..") && !path.startsWith("/") && existsSync(join(root, path)),
    ),
  )
}

/** Parts whose tests are those of others too: the statements of SQL run on each database. */
const shared: Readonly<Record<string, ReadonlyArray<string>>> = {
  "adapters/sql": ["adapters/sql/", "adapters/postgres/", "adapters/pglite/", "adapters/connection/"],
  "adapters/memory": ["adapters/memory/", "conformance/suites/"],
  "core/ports": ["adapters/memory/", "conformance/suites/"],
  "core/support": ["core/", "adapters/memory/"],
  "core/usecases": ["core/usecases/", "adapters/memory/", "hosts/embed/", "hosts/manage/"],
}

/** The beginnings of the paths of the tests of a file's part. */
const partsOf = (file: string): ReadonlyArray<string> => {
  const part = file.split("/").slice(0, 2).join("/")
  return shared[part] ?? [`${part}/`]
}

/** Which tests reach a file, over the imports of a checkout. */
export class TestsOf {
  readonly #users = new Map<string, Set<string>>()
  /** How long each file of tests took when it ran last, in seconds. It grows while tests run. */
  readonly #seconds: ReadonlyMap<string, number>

  constructor(root: string, seconds: ReadonlyMap<string, number> = new Map()) {
    this.#seconds = seconds
    const files = sourcesIn(root, "{core,adapters,hosts,conformance}/**/*.{ts,tsx}", [
      "conformance/checks/mutants/**",
      "conformance/bench/**",
    ])
    for (const file of files) {
      for (const used of namedIn(root, file)) {
        const users = this.#users.get(used) ?? new Set()
        this.#users.set(used, users.add(file))
      }
    }
  }

  /**
   * The tests that reach a file, in the rounds in which they are tried: those of its part first, the cheap ones of
   * these before the others. Within a round the nearest come first: most faults fail one of the first few.
   */
  rounds(file: string, isThorough: boolean): ReadonlyArray<ReadonlyArray<string>> {
    const distances = new Map([[file.startsWith("hosts/settings/assets/") ? "hosts/settings/Assets.ts" : file, 0]])
    // A map grows while it is read.
    for (const [used, distance] of distances) {
      for (const user of this.#users.get(used) ?? []) {
        if (!distances.has(user)) distances.set(user, distance + 1)
      }
    }
    const parts = partsOf(file)
    const tests = [...distances]
      .filter(([path]) => path.endsWith(".test.ts"))
      .map(([path, distance]) => ({
        path,
        seconds: this.#seconds.get(path) ?? 1,
        isOwn: distance === 1 || parts.some((part) => path.startsWith(part)),
        // A test that is named after the file is nearer than all that import it.
        distance: basename(path, ".test.ts") === parse(file).name ? 0 : distance,
      }))
      .toSorted((a, b) => a.distance - b.distance || a.seconds - b.seconds || a.path.localeCompare(b.path))
    const rounds = [
      tests.filter(({ isOwn, seconds }) => isOwn && seconds < 6),
      tests.filter(({ isOwn, seconds }) => isOwn && seconds >= 6),
      isThorough ? tests.filter(({ isOwn }) => !isOwn) : [],
    ]
    return rounds.map((round) => round.map(({ path }) => path)).filter((round) => round.length > 0)
  }
}
