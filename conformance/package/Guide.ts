/** The guides, done as they are written: each in an empty directory, with the package as users get it. */
import { execFile, spawnSync } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import manifest from "../../package.json" with { type: "json" }

/** A guide, and the fault that it plants to show what a failing case says. */
interface Guide {
  readonly name: string
  readonly file: string
  readonly right: string
  readonly wrong: string
  /** What is run then. */
  readonly command: string
}

const adapters: Guide = {
  name: "ADAPTERS.md",
  file: "rate-limits.ts",
  right: "times.length < limit",
  wrong: "times.length <= limit",
  command: "node check.ts",
}

const services: Guide = {
  name: "SERVICES.md",
  file: "service.py",
  right: '"total": len(matching)',
  wrong: '"total": len(page)',
  command:
    "npx designwire conformance --url http://127.0.0.1:8765/api/v1 --driver 'python3 service.py 8765' --only pages.total",
}

/** A file that is named at the beginning of the paragraph before it, commands, or what they print. */
const blocks = /(?:^`([\w.-]+\.ts)`[^\n]*\n(?:[^\n]+\n)*\n)?^```(ts|sh|text)\n(.*?)^```$/gms

/** Runs the commands of a shell. `npm` is the one that runs this, and installs the tarball for the name of the package. */
const shell = (directory: string, tarball: string, commands: string) =>
  new Promise<{ readonly succeeded: boolean; readonly output: string }>((done) => {
    const packages = { [manifest.name]: tarball, effect: `effect@${manifest.devDependencies.effect}` }
    const code = commands.replaceAll(/(?<=^npm install .*)\b(designwire|effect)\b/gm, (name) =>
      name === "effect" ? packages.effect : tarball,
    )
    const env = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      npm_config_prefer_offline: "true",
    }
    const npm = `npm() { "${process.execPath}" "${process.env["npm_execpath"]}" "$@"; }\nnpx() { npm exec -- "$@"; }`
    const parameters = ["-ec", `${npm}\n${code}`]
    execFile("sh", parameters, { cwd: directory, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      done({ succeeded: error === null, output: stdout + stderr }),
    )
  })

/** A text without what differs from run to run: times, ids, and what is left out of long lines. */
const steady = (text: string): string => text.replaceAll(/\d+\.\d s/g, "0 s").replaceAll(/(c-|tok_)[0-9a-f]+/g, "$1…")

/** What the guides promise and does not come true. The one to services needs Python, and is left out where there is none. */
export const guideProblems = async (directory: string, tarball: string): Promise<ReadonlyArray<string>> => {
  const python = spawnSync("python3", ["--version"]).status === 0
  if (!python) console.log("SERVICES.md is left out: there is no python3")
  return [
    ...(await problemsOf(adapters, `${directory}-adapters`, tarball)),
    ...(python ? await problemsOf(services, `${directory}-services`, tarball) : []),
  ]
}

const problemsOf = async (guide: Guide, directory: string, tarball: string): Promise<ReadonlyArray<string>> => {
  await mkdir(directory)
  const text = await readFile(resolve(import.meta.dirname, "..", guide.name), "utf8")
  const problems: Array<string> = []
  let last = ""
  for (const [, file, kind, code = ""] of text.matchAll(blocks)) {
    if (kind === "ts" && file !== undefined) await writeFile(join(directory, file), code)
    if (kind === "text" && code.startsWith("✗")) last = await withFault(guide, directory, tarball)
    if (kind === "text") problems.push(...unlike(guide, last, code))
    if (kind !== "sh") continue
    const { output, succeeded } = await shell(directory, tarball, code)
    if (!succeeded) problems.push(`${guide.name}: ${code.trim()} fails:\n${output}`)
    last = output
  }
  return problems
}

/** What the check says of the fault that the guide plants. */
const withFault = async (
  { command, file, right, wrong }: Guide,
  directory: string,
  tarball: string,
): Promise<string> => {
  const path = join(directory, file)
  const text = await readFile(path, "utf8")
  await writeFile(path, text.replace(right, wrong))
  const { output } = await shell(directory, tarball, command)
  await writeFile(path, text)
  return output
}

/** The lines that the guide shows and that were not printed, each up to where it is cut off. */
const unlike = ({ name }: Guide, output: string, shown: string): ReadonlyArray<string> =>
  steady(shown)
    .trim()
    .split("\n")
    .filter((line) => !steady(output).includes(line.split("…")[0] ?? ""))
    .map((line) => `${name} shows what is not printed: ${line}\n${output.slice(0, 2_000)}`)
