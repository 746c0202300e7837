/** The built site, as a server would send it. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

/** The folder of the built site. */
const built = join(import.meta.dirname, "../dist")

/** A page as it was built. */
export interface BuiltPage {
  /** `/hosts/embed/` */
  readonly address: string
  readonly html: string
}

/** Every page. */
export const builtPages = (): ReadonlyArray<BuiltPage> =>
  readdirSync(built, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .map((file) => ({
      address: `/${file.replaceAll("\\", "/").replace(/index\.html$/, "")}`,
      html: readFileSync(join(built, file), "utf8"),
    }))

/** The file that a server sends for an address. */
export const fileOf = (address: string): string | undefined => {
  const path = join(built, decodeURIComponent(address))
  const file = address.endsWith("/") ? join(path, "index.html") : path
  return existsSync(file) && statSync(file).isFile() ? file : undefined
}

const sent = new Map<string, number>()

/** The bytes that a server sends: texts compressed by gzip, pictures as they are. */
export const sentBytes = (file: string): number => {
  const known = sent.get(file)
  if (known !== undefined) return known
  const content = readFileSync(file)
  const bytes = /\.(?:png|webp|jpe?g)$/.test(file) ? content.length : gzipSync(content).length
  sent.set(file, bytes)
  return bytes
}
