/**
 * Type-checks programs in a project in which the package is installed, strictly and with the declarations of every
 * package.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isWhole, node } from "./Installation.ts"

const compiler = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc")

/** How modules are found: by Node, and by bundlers. That both find the same ones is among the lints of the tarball. */
const resolutions = [{ module: "nodenext" }, ...(isWhole ? [{ module: "esnext", moduleResolution: "bundler" }] : [])]

/**
 * The compiler's errors in these files. They may use these packages of types, the standard library and that of
 * browsers, which `effect` needs.
 */
export const typeErrors = async (
  project: string,
  files: ReadonlyArray<string>,
  types: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const errors: Array<string> = []
  for (const resolution of resolutions) {
    const compilerOptions = {
      ...resolution,
      target: "es2024",
      lib: ["es2024", "dom"],
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    }
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }))
    const { stdout } = await node(project, compiler, "-p", ".", "--pretty", "false")
    errors.push(
      ...stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => `${resolution.module}: ${line}`),
    )
  }
  return errors
}
