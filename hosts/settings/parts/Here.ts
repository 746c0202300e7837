import type { Visit } from "../Visit.ts"

/** The query of the current page, so that its filter stays, with other values of some parameters; `""` removes one. */
export const hereWith = (
  { path }: Pick<Visit["Service"], "path">,
  changes: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams(path.split("?").slice(1).join("?"))
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name)
    else query.set(name, value)
  }
  return `?${query}`
}
