/**
 * For programs that import this package by its name, as users write them: `node --import` of this file has its entry
 * points lead to the sources, without a build. package.json lists them: what is built as `dist/…/index.js`
 * is `…/index.ts`.
 */
import { registerHooks } from "node:module"
import packageJson from "../../../package.json" with { type: "json" }

const root = new URL("../../../", import.meta.url)

const sources = new Map(
  Object.entries(packageJson.exports).flatMap(([entry, built]) =>
    typeof built === "string"
      ? []
      : [
          [
            entry.replace(".", packageJson.name),
            new URL(built.default.replace(/^\.\/dist\/(.*)\.js$/, "$1.ts"), root).href,
          ],
        ],
  ),
)

/** The directory of packages that a test has installed for an example. */
const installed = new URL("conformance/checks/libraries/", root).href

registerHooks({
  resolve: (specifier, context, next) => {
    const url = sources.get(specifier)
    if (url !== undefined) return { url, format: "module-typescript", shortCircuit: true }
    try {
      return next(specifier, context)
    } catch (error) {
      if (specifier.startsWith(".") || !context.parentURL?.includes("/examples/")) throw error
      return next(specifier, { ...context, parentURL: installed })
    }
  },
})
