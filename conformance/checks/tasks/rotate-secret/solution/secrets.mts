/** The secrets that the receiver believes, the newest one last. */
import { readFileSync, renameSync, writeFileSync } from "node:fs"

export const readSecrets = (): ReadonlyArray<string> => {
  const { secret } = JSON.parse(readFileSync("secrets.json", "utf8"))
  return [secret].flat()
}

/** Replaces the file at once: the receiver never reads half of it. */
export const writeSecrets = (secret: ReadonlyArray<string>): void => {
  writeFileSync("secrets.json.new", JSON.stringify({ secret }))
  renameSync("secrets.json.new", "secrets.json")
}
