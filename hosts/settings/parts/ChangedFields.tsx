import type { AuditValue, AuditView } from "../../../core/model/audit/AuditEntry.ts"
import type { OptionTexts } from "../texts/english/EndpointOptions.ts"
import type { Texts } from "../texts/Language.ts"
import type { Visit } from "../Visit.ts"
import { usualValues } from "./endpoints/OptionControls.ts"

/** How the audit log, and the log of a host, name sessions without a person: how they began, and a short id. */

const begun = { key: "the management key", once: "the one-time link" } as const

/** How a session without a person has begun: by the key, or by the link that opens an app once. */
export type Begun = keyof typeof begun

/** The name of a session. */
export const nameOfSession = (how: Begun, id: string): string => `${begun[how]}, session ${id.slice(0, 6)}`

/** The parts of a name of a session; `undefined` for the name of a person. */
const sessionOf = (name: string): { readonly how: Begun; readonly id: string } | undefined => {
  for (const how of ["key", "once"] as const) {
    const beginning = nameOfSession(how, "")
    if (name.startsWith(beginning)) return { how, id: name.slice(beginning.length) }
  }
  return undefined
}

/** Values are cut after this many characters: URLs may have 2,048. The API has all of them. */
const longest = 80

/** A text, cut if it is long. */
export const cut = (text: string): string => {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : text
}

/** The name of a field, in the words of its reader. */
export const fieldName = (name: string, { audit, endpointOptions }: Texts): string => {
  const options: Readonly<Record<string, OptionTexts>> = endpointOptions
  return options[name]?.changed ?? audit.fields[name] ?? name
}

/** Fields whose values are words of the API. */
const words = new Set(["status", "state", "payload", "ordering", "secret", "accessKey"])

/** How entries have times. */
const instantShape = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/

type Reader = Pick<Visit["Service"], "figures" | "texts">

/** A value of a field, in the words of its reader. */
export const shownValue = (name: string, value: AuditValue | undefined, reader: Reader): string => {
  const { audit } = reader.texts
  if (value === null || value === undefined) return audit.none
  if (typeof value === "boolean") return value ? audit.yes : audit.no
  if (typeof value === "object") return value.map((part) => shownValue("", part, reader)).join(", ")
  if (typeof value === "string" && instantShape.test(value)) return reader.figures.instant(Date.parse(value))
  if (words.has(name) && typeof value === "string") return audit.values[value] ?? value
  // As the page of tokens shows it.
  if (name === "hint") return `cmz_…${value}`
  return value === "" ? audit.empty : cut(String(value))
}

const usual: Readonly<Record<string, unknown>> = { ...usualValues, status: "active" }

/** Whether a field of something new is not worth a line: it is empty, or as usual. */
const isUsual = (name: string, value: AuditValue | undefined): boolean =>
  ["null", '""', "[]", JSON.stringify(usual[name])].includes(JSON.stringify(value))

/** The fields of a change, each as it was and as it is; of a new or a deleted thing those that say something. */
export const ChangedFields = ({
  entry: { after, before },
  reader,
  titles,
}: {
  readonly entry: Pick<AuditView, "before" | "after">
  readonly reader: Reader
  /** The titles of customizers by their ids. */
  readonly titles?: ReadonlyMap<string, string>
}) => {
  const { texts } = reader
  const fields = Object.entries(after ?? before ?? {})
  const isWhole = before === null || after === null
  const names = fields.flatMap(([name, value]) => (isWhole && isUsual(name, value) ? [] : [name]))
  const shown = (name: string, value: AuditValue | undefined) =>
    shownValue(name, name === "customizers" && Array.isArray(value) ? value.map(titled) : value, reader)
  const titled = (id: string) => titles?.get(id) ?? id
  if (names.length === 0) return null
  return (
    <ul class="changed">
      {names.map((name) => (
        <li key={name}>
          {`${fieldName(name, texts)}: `}
          {before !== null && (
            <del>
              <span class="visually-hidden">{`${texts.audit.before} `}</span>
              <bdi>{shown(name, before[name])}</bdi>
            </del>
          )}
          {before !== null && after !== null && <span aria-hidden="true"> → </span>}
          {after !== null && (
            <ins>
              <span class="visually-hidden">{` ${texts.audit.after} `}</span>
              <bdi>{shown(name, after[name])}</bdi>
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Who made a change. */
export const ChangeActor = ({ actor, texts }: { readonly actor: AuditView["actor"]; readonly texts: Texts }) => (
  <bdi>{texts.audit.actors[actor.type] ?? shownActor(actor.name, texts)}</bdi>
)

/** The name of a person, or of a session without one. */
export const shownActor = (name: string, { audit }: Texts): string => {
  const session = sessionOf(name)
  return session === undefined ? name : audit.sessions[session.how](session.id)
}
