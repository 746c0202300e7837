/**
 * The shop of `hosts/embed/examples/shop` as its readers have it: copied into a project of their own in which this
 * package is installed. Here its entry points lead to the sources, for Node and for the bundler, without a build.
 */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join, resolve } from "node:path"
import { Effect, type Scope } from "effect"
import manifest from "../../../package.json" with { type: "json" }
import { type Process, start, temporaryDirectory } from "./Processes.ts"

const root = resolve(import.meta.dirname, "../../..")

/** A project with a copy of the example. */
export interface ShopExample {
  readonly directory: string
  readonly storefront: string
  readonly erp: string
  readonly production: string
  /** Runs the one command until it is ready. Run again, it continues with the data that is there. */
  readonly run: Effect.Effect<Process, Error, Scope.Scope>
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const server = createServer()
    server.once("error", () => answer(false))
    server.listen(port, "127.0.0.1", () => server.close(() => answer(true)))
  })

/** The first of four free ports, below those that systems give to other sockets. */
const freePorts = async (): Promise<number> => {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const free = await Promise.all([0, 1, 2, 3].map((place) => isFree(first + place)))
    if (free.every(Boolean)) return first
  }
}

/** Makes what `npm install` and `cp` make for a reader. */
const installIn = (directory: string): void => {
  const modules = join(directory, "node_modules")
  const own = join(modules, manifest.name)
  mkdirSync(own, { recursive: true })
  for (const name of ["effect", "esbuild"]) symlinkSync(join(root, "node_modules", name), join(modules, name))
  symlinkSync(root, join(own, "sources"))
  const exports = JSON.stringify(manifest.exports).replaceAll(/\.\/dist\/([\w/]+)\.js/g, "./sources/$1.ts")
  const { name, sideEffects, type } = manifest
  writeFileSync(
    join(own, "package.json"),
    `{"exports":${exports},${JSON.stringify({ name, sideEffects, type }).slice(1)}`,
  )
  cpSync(join(root, "hosts/embed/examples/shop"), join(directory, "shop"), { recursive: true })
}

/** Makes a project that is there until the scope closes. */
export const shopExample: Effect.Effect<ShopExample, never, Scope.Scope> = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  installIn(directory)
  const first = yield* Effect.promise(freePorts)
  const at = (place: number) => `http://127.0.0.1:${first + place}`
  const run = Effect.gen(function* () {
    const options = { cwd: directory, entry: join(directory, "shop/start.mts") }
    const process = yield* start([], { PORT: `${first}` }, options)
    yield* process.line(/^Ctrl\+C/)
    return process
  })
  return { directory, storefront: at(1), erp: at(2), production: at(3), run }
})
