/** A real browser for tests: Chromium from an npm package, or the one that `DESIGNWIRE_TEST_CHROMIUM` names, e.g. `/usr/bin/chromium`. */
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { inflate } from "@sparticuz/chromium"
import { type Browser, chromium } from "playwright-core"

const packed = dirname(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))))

/** Where version after version is unpacked, once for all runs. */
const cache = join(import.meta.dirname, "../../node_modules/.cache/designwire")

/** The package unpacks to the directory for temporary files, which other versions and programs use too: this is to be another one. */
const unpackTo = (directory: string, names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
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

/** The font that the package brings, so that pages look alike on every machine, also where there are no fonts. */
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

/** Unpacks Chromium where that has not been done; answers the directory. Processes that do so at the same time don't see each other's half. */
const unpacked = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(packed, "package.json"), "utf8")) as { readonly version: string }
  const directory = join(cache, `chromium-${version}`)
  if (existsSync(directory)) return directory
  const own = `${directory}.${process.pid}`
  await mkdir(own, { recursive: true })
  await unpackTo(own, ["chromium.br", "fonts.tar.br", "al2023.tar.br"])
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
export const openChromium = async (): Promise<Browser> => {
  const own = process.env["DESIGNWIRE_TEST_CHROMIUM"]
  if (own !== undefined && own !== "") return chromium.launch({ executablePath: own })
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("Set DESIGNWIRE_TEST_CHROMIUM to the path of a Chromium: the packaged one is for Linux on x64")
  }
  const directory = await unpacked()
  const executablePath = join(directory, "chromium")
  const args = ["--no-zygote", "--font-render-hinting=none"]
  const FONTCONFIG_FILE = join(directory, "fonts.conf")
  try {
    return await chromium.launch({ executablePath, args, env: environment({ FONTCONFIG_FILE }) })
  } catch {
    // A machine without the libraries that Chromium is linked to: the package brings those.
    const libraries = join(directory, "al2023/lib")
    return chromium.launch({ executablePath, args, env: environment({ FONTCONFIG_FILE, LD_LIBRARY_PATH: libraries }) })
  }
}
