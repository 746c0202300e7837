import type { IngestSource } from "../../../core/model/ingest/InboxItem.ts"
import type { PlatformView } from "../../../core/model/ingest/PlatformConnection.ts"
import type { Problems } from "../Problems.ts"
import type { VisitProps } from "../Visit.ts"
import { Field } from "./Field.tsx"
import { FormActions, PostForm } from "./PostForm.tsx"

const names = ["domain", "property", "placed", "payLater", "done", "tests", "reorderCopies"] as const

/** The fields of the form, as texts; secrets are not among them. */
export type PlatformFields = Readonly<Record<(typeof names)[number], string>>

/** Makes the fields from the text of each. */
export const platformFields = (textOf: (name: (typeof names)[number]) => string) =>
  Object.fromEntries(names.map((name) => [name, textOf(name)])) as PlatformFields

interface Props extends VisitProps {
  readonly platform: IngestSource
  readonly connection: PlatformView | undefined
  readonly fields: PlatformFields
  readonly problems: Problems
}

/** The form of a connection to a platform. */
export const PlatformForm = (props: Props) => {
  const { connection, fields, platform, problems, visit } = props
  const texts = visit.texts.platforms
  const general = problems.filter(({ path }) => path === "")
  return (
    <section class="card pad">
      <PostForm visit={visit} class="stack">
        {general.map(({ message }) => (
          <p key={message} class="problem" role="alert">
            {message}
          </p>
        ))}
        <Field
          name="domain"
          label={texts.domain}
          hint={texts.domainHints[platform]}
          problems={problems}
          control={(attributes) => (
            <input
              {...attributes}
              type="text"
              value={fields.domain}
              required
              readonly={!visit.visitor.mayPublish}
              autocomplete="off"
              spellcheck={false}
            />
          )}
        />
        <Secret
          {...props}
          name="secret"
          label={texts.secret}
          hint={connection?.hasSecret === true ? texts.secretKept : texts.secretNone}
        />
        <Secret
          {...props}
          name="accessKey"
          label={texts.accessKey}
          hint={connection?.hasAccessKey === true ? texts.accessKeyKept : texts.accessKeyHints[platform]}
        />
        <Text {...props} name="property" hint={texts.emptyHint} />
        <Text {...props} name="placed" hint={texts.listHint} />
        {platform === "shopify" && <Text {...props} name="payLater" hint={texts.listHint} />}
        {platform === "woocommerce" && <Text {...props} name="done" hint={texts.listHint} />}
        {platform === "shopify" && <Choice {...props} name="tests" options={[texts.testsPlaced, texts.testsIgnored]} />}
        <Choice {...props} name="reorderCopies" options={[texts.copied, texts.refused]} />
        <FormActions submit={visit.texts.parts.save} cancelHref={`${visit.root}platforms`} />
      </PostForm>
    </section>
  )
}

/** A field that no page shows the content of. */
const Secret = ({
  hint,
  label,
  name,
  problems,
}: Props & { readonly name: "secret" | "accessKey"; readonly label: string; readonly hint: string }) => (
  <Field
    name={name}
    label={label}
    hint={hint}
    problems={problems}
    control={(attributes) => <input {...attributes} type="password" autocomplete="off" maxLength={512} />}
  />
)

const Text = ({
  fields,
  hint,
  name,
  problems,
  visit,
}: Props & { readonly name: "property" | "placed" | "payLater" | "done"; readonly hint: string }) => (
  <Field
    name={name}
    label={visit.texts.platforms[name]}
    hint={hint}
    problems={problems}
    control={(attributes) => (
      <input {...attributes} type="text" value={fields[name]} autocomplete="off" spellcheck={false} />
    )}
  />
)

/** A choice of `true` and `false`, by their words, or as the service is set up. */
const Choice = ({
  fields,
  name,
  options: [yes, no],
  problems,
  visit,
}: Props & { readonly name: "tests" | "reorderCopies"; readonly options: readonly [string, string] }) => (
  <Field
    name={name}
    label={visit.texts.platforms[name]}
    problems={problems}
    control={(attributes) => (
      <select {...attributes}>
        {[
          ["", visit.texts.platforms.asService],
          ["true", yes],
          ["false", no],
        ].map(([value, text]) => (
          <option key={value} value={value} selected={fields[name] === value}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
)
