// Bundles and minifies the script and the style sheet of the settings app into hosts/settings/assets/built.json, from
// which the app serves them. With `--check` it only reports whether that file is current.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { build } from "esbuild"

const directory = join(import.meta.dirname, "../hosts/settings/assets")
const file = join(directory, "built.json")

const { outputFiles } = await build({
  entryPoints: ["script.ts", "style.css"],
  absWorkingDir: directory,
  outdir: directory,
  bundle: true,
  minify: true,
  format: "esm",
  charset: "utf8",
  write: false,
})
const [script, style] = outputFiles.map(({ text }) => text.trim())
const built = `${JSON.stringify({ script, style }, null, 2)}\n`

if (!process.argv.includes("--check")) await writeFile(file, built)
else if ((await readFile(file, "utf8")) !== built) {
  console.error("hosts/settings/assets/built.json is not current: npm run assets")
  process.exitCode = 1
}
