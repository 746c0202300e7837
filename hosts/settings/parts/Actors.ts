/** How the audit log, and the log of a host, name sessions without a person: how they began, and a short id. */

const begun = { key: "the management key", once: "the one-time link" } as const

/** How a session without a person has begun: by the key, or by the link that opens an app once. */
export type Begun = keyof typeof begun

/** The name of a session. */
export const nameOfSession = (how: Begun, id: string): string => `${begun[how]}, session ${id.slice(0, 6)}`

/** The parts of a name of a session; `undefined` for the name of a person. */
export const sessionOf = (name: string): { readonly how: Begun; readonly id: string } | undefined => {
  for (const how of ["key", "once"] as const) {
    const beginning = nameOfSession(how, "")
    if (name.startsWith(beginning)) return { how, id: name.slice(beginning.length) }
  }
  return undefined
}
