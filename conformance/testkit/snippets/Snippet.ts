/** Runs the snippets that verify deliveries, each with the interpreter of its language. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { extname, join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"

/** A delivery as it arrives. */
export interface Delivery {
  readonly secret: string
  readonly headers: Readonly<Record<string, Uint8Array>>
  readonly body: Uint8Array
  /** Unix time in seconds. */
  readonly now: number
}

/** A {@link Delivery} in JSON: bytes are base64. */
export interface EncodedDelivery {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly now: number
}

const directory = resolve(import.meta.dirname, "../../../hosts/receiver/snippets")

const own = (file: string): string => join(import.meta.dirname, file)

interface Language {
  /** What runs it, and the package of Debian that brings it. */
  readonly program: string
  readonly debian: string
  readonly version: string
  /** The parameters of the program, and a directory to remove afterwards. */
  readonly parameters: (snippet: string, temporary: string) => ReadonlyArray<string>
}

const languages: Readonly<Record<string, Language>> = {
  ".py": { program: "python3", debian: "python3", version: "--version", parameters: (path) => [own("check.py"), path] },
  ".php": { program: "php", debian: "php-cli", version: "--version", parameters: (path) => [own("check.php"), path] },
  ".rb": { program: "ruby", debian: "ruby", version: "--version", parameters: (path) => [own("check.rb"), path] },
  ".go": {
    program: "go",
    debian: "golang-go",
    version: "version",
    parameters: (path, temporary) => {
      const snippet = readFileSync(path, "utf8").replaceAll("time.Now()", "time.Unix(now, 0)")
      writeFileSync(join(temporary, "verify.go"), snippet)
      cpSync(own("check.go"), join(temporary, "check.go"))
      return ["run", join(temporary, "check.go"), join(temporary, "verify.go")]
    },
  },
  ".ts": {
    program: process.execPath,
    debian: "nodejs",
    version: "--version",
    parameters: (path) => [
      `--import=${pathToFileURL(resolve(import.meta.dirname, "../processes/OwnPackage.ts"))}`,
      own("check.ts"),
      path,
    ],
  },
}

const languageOf = (snippet: string): Language => {
  const language = languages[extname(snippet)]
  if (language === undefined) throw new Error(`Nothing is known to run ${snippet}`)
  return language
}

/** Why a snippet can't be run here, `undefined` if it can. */
export const notRunnable = (snippet: string): string | undefined => {
  const { debian, program, version } = languageOf(snippet)
  return spawnSync(program, [version]).status === 0
    ? undefined
    : `${program} is not installed (Debian: apt-get install ${debian})`
}

/** Whether a snippet accepts each delivery; a number is a status that is neither 204 nor 401. */
export const verdicts = (snippet: string, deliveries: ReadonlyArray<Delivery>): ReadonlyArray<boolean | number> => {
  const encoded: ReadonlyArray<EncodedDelivery> = deliveries.map(({ body, headers, now, secret }) => ({
    secret,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, base64(value)])),
    body: base64(body),
    now,
  }))
  const { parameters, program } = languageOf(snippet)
  const temporary = mkdtempSync(join(tmpdir(), "designwire-snippet-"))
  try {
    const ended = spawnSync(program, parameters(join(directory, snippet), temporary), {
      input: JSON.stringify(encoded),
      encoding: "utf8",
      // Each file stands for itself.
      env: { ...process.env, GO111MODULE: "off", GOFLAGS: "" },
    })
    if (ended.status !== 0) throw new Error(`${snippet} failed:\n${ended.stderr}`)
    return JSON.parse(ended.stdout)
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")
