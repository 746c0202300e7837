import { readFileSync } from "node:fs"
import { join } from "node:path"
import { citationsIn } from "./Citations.ts"
import { sourcesIn } from "./Sources.ts"

/** The title of a test, or the name of a row of its table: a text that ends with ids in parentheses. */
const titled =
  /(["'`])((?:(?!\1)[^\\\n]|\\.)*?) \(((?:§[\d.-]+|D\d+[a-z]?|F-\d+)(?:(?:, |–| to )(?:§[\d.-]+|D\d+[a-z]?|F-\d+))*)\)\1/g

/** The beginning of a title, up to what is put into it. */
const beginning = (title: string): string => title.split(/\$\{|%[sji]|\$[a-z]/)[0]?.trim() ?? ""

/**
 * The tests of a checkout that hold each requirement, by its id: those whose title ends with the id in parentheses.
 * Each is `file > title`, up to what a table puts into the title.
 */
export const citingTests = (root: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const tests = new Map<string, Array<string>>()
  for (const file of sourcesIn(root, "{core,adapters,hosts,conformance}/**/*.test.{ts,tsx}")) {
    for (const [_, __, title = "", ids = ""] of readFileSync(join(root, file), "utf8").matchAll(titled)) {
      for (const { id } of citationsIn(ids)) {
        const some = tests.get(id) ?? []
        some.push(`${file} > ${beginning(title)}`)
        tests.set(id, some)
      }
    }
  }
  return tests
}
