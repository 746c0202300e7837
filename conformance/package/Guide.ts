/** The guide to writing an adapter, done as it is written: in an empty directory, with the package as users get it. */
import { execFile } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import manifest from "../../package.json" with { type: "json" }

const guide = resolve(import.meta.dirname, "../ADAPTERS.md")

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
    const npm = `npm() { "${process.execPath}" "${process.env["npm_execpath"]}" "$@"; }`
    const parameters = ["-ec", `${npm}\n${code}`]
    execFile("sh", parameters, { cwd: directory, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      done({ succeeded: error === null, output: stdout + stderr }),
    )
  })

/** A text without what differs from run to run: times, ids, and what is left out of long lines. */
const steady = (text: string): string => text.replaceAll(/\d+\.\d s/g, "0 s").replaceAll(/(c-|tok_)[0-9a-f]+/g, "$1…")

/** What the guide promises and does not come true. */
export const guideProblems = async (directory: string, tarball: string): Promise<ReadonlyArray<string>> => {
  await mkdir(directory)
  const text = await readFile(guide, "utf8")
  const problems: Array<string> = []
  let last = ""
  for (const [, file, kind, code = ""] of text.matchAll(blocks)) {
    if (kind === "ts" && file !== undefined) await writeFile(join(directory, file), code)
    if (kind === "text" && code.startsWith("✗")) last = await withFault(directory, tarball)
    if (kind === "text") problems.push(...unlike(last, code))
    if (kind !== "sh") continue
    const { output, succeeded } = await shell(directory, tarball, code)
    if (!succeeded) problems.push(`ADAPTERS.md: ${code.trim()} fails:\n${output}`)
    last = output
  }
  return problems
}

/** What the check says of the fault that the guide plants. */
const withFault = async (directory: string, tarball: string): Promise<string> => {
  const path = join(directory, "rate-limits.ts")
  const right = await readFile(path, "utf8")
  await writeFile(path, right.replace("times.length < limit", "times.length <= limit"))
  const { output } = await shell(directory, tarball, "node check.ts")
  await writeFile(path, right)
  return output
}

/** The lines that the guide shows and that were not printed, each up to where it is cut off. */
const unlike = (output: string, shown: string): ReadonlyArray<string> =>
  steady(shown)
    .trim()
    .split("\n")
    .filter((line) => !steady(output).includes(line.split("…")[0] ?? ""))
    .map((line) => `ADAPTERS.md shows what is not printed: ${line}\n${output.slice(0, 2_000)}`)
