/**
 * A real browser for tests: Chromium from an npm package, or the program that `DESIGNWIRE_TEST_CHROMIUM` names, e.g.
 * `/usr/bin/chromium`.
 */
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { type Browser, chromium } from "playwright-core"
import { install } from "../processes/Install.ts"

/** What tests use of the package that Chromium comes in. */
interface Packed {
  /** Writes a compressed file of the package to the directory for temporary files. */
  readonly inflate: (path: string) => Promise<string>
}

/** The directory that each version is unpacked to, once for all runs. */
const cache = join(import.meta.dirname, "../../../node_modules/.cache/designwire")

/** Unpacks files to a directory. By default the package uses the directory for temporary files, which others share. */
const unpackTo = async (
  directory: string,
  packed: string,
  names: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const { href } = pathToFileURL(join(packed, "build/index.js"))
  const { inflate } = (await import(/* @vite-ignore */ href)) as Packed
  const before = process.env["TMPDIR"]
  process.env["TMPDIR"] = directory
  try {
    return Promise.all(names.map((name) => inflate(join(packed, "bin", name))))
  } finally {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
  }
}

const alias = (family: string, ...preferred: ReadonlyArray<string>) =>
  `<alias binding="same"><family>${family}</family><prefer>${preferred.map((name) => `<family>${name}</family>`).join("")}</prefer></alias>`

/** Selects the fonts of the package, so that pages look the same on every machine, even one without fonts. */
const fontsConf = (directory: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(directory, "fonts/fonts")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(directory, "fonts-cache")}</cachedir>
  ${alias("system-ui", "Open Sans")}
  ${alias("sans-serif", "Open Sans")}
  ${alias("monospace", "DejaVu Sans Mono", "Liberation Mono")}
</fontconfig>
`

/** The directory with Chromium, which is unpacked on first use. Other processes see it only once it is complete. */
const unpacked = async (): Promise<string> => {
  const installed = await install(new URL("../../checks/browser/", import.meta.url))
  const packed = join(installed, "node_modules/@sparticuz/chromium")
  const { version } = JSON.parse(await readFile(join(packed, "package.json"), "utf8")) as { readonly version: string }
  const directory = join(cache, `chromium-${version}`)
  if (existsSync(directory)) return directory
  const own = `${directory}.${process.pid}`
  await mkdir(own, { recursive: true })
  await unpackTo(own, packed, ["chromium.br", "fonts.tar.br", "al2023.tar.br"])
  await writeFile(join(own, "fonts.conf"), fontsConf(directory))
  try {
    await rename(own, directory)
  } catch (error) {
    await rm(own, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return directory
}

const environment = (more: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ),
  ...more,
})

/** Starts Chromium. The caller closes it. */
export const openChromium = async (more: ReadonlyArray<string> = []): Promise<Browser> => {
  const own = process.env["DESIGNWIRE_TEST_CHROMIUM"]
  if (own !== undefined && own !== "") return chromium.launch({ executablePath: own, args: [...more] })
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("Set DESIGNWIRE_TEST_CHROMIUM to the path of a Chromium: the packaged one is for Linux on x64")
  }
  const directory = await unpacked()
  const executablePath = join(directory, "chromium")
  const args = ["--no-zygote", "--font-render-hinting=none", ...more]
  const FONTCONFIG_FILE = join(directory, "fonts.conf")
  try {
    return await chromium.launch({ executablePath, args, env: environment({ FONTCONFIG_FILE }) })
  } catch {
    // The machine lacks libraries that Chromium is linked to. The package contains them.
    const libraries = join(directory, "al2023/lib")
    return chromium.launch({ executablePath, args, env: environment({ FONTCONFIG_FILE, LD_LIBRARY_PATH: libraries }) })
  }
}
