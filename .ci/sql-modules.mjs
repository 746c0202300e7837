// Makes a module of each statement in a file `.sql`, from which the adapter takes it: a packed or bundled program finds
// no file alongside its own. With `--check` it only reports whether the modules are current.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"

const statements = ["adapters/sql/webhooks/claim"]

for (const path of statements) {
  const file = join(import.meta.dirname, "..", `${path}.sql`)
  const text = (await readFile(file, "utf8")).trim()
  const name = path.split("/").at(-1)
  const made = `/** Made from ${name}.sql: npm run assets. */\nexport const ${name}: string = \`${text.replace(/[\\`$]/g, "\\$&")}\`\n`
  if (!process.argv.includes("--check")) await writeFile(`${file}.ts`, made)
  else if ((await readFile(`${file}.ts`, "utf8")) !== made) {
    console.error(`${path}.sql.ts is not current: npm run assets`)
    process.exitCode = 1
  }
}
