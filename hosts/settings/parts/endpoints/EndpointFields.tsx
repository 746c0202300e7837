import { Effect } from "effect"
import type { ComponentChildren } from "preact"
import type { Ordering, Payload } from "../../../../core/model/deliveries/EndpointOptions.ts"
import type { Endpoint } from "../../../../core/model/Endpoint.ts"
import { EndpointKind } from "../../../../core/model/Event.ts"
import { Form } from "../../Form.ts"
import type { Problems } from "../../Problems.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { Field } from "../Field.tsx"
import { type OAuthClient, OAuthFields, readOAuth } from "./OAuthFields.tsx"
import { PaceFields, type PaceInput, readPace } from "./PaceFields.tsx"

/** The content of an endpoint's form. */
export interface EndpointInput extends PaceInput {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<string>
  readonly customizers: ReadonlyArray<number> | null
  readonly standardWebhooks: boolean
  readonly payload: Payload
  readonly ordering: Ordering
  readonly heedRetryAfter: boolean
  /** The names of those that are kept. */
  readonly headers: ReadonlyArray<string>
  readonly oauth: OAuthClient
  readonly clientCertificate: Endpoint["clientCertificate"]
}

/** The lines of headers as an object: a line without a colon is a name without a value, which is refused. */
const readHeaders = (lines: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [name = "", ...value] = line.split(":")
        return [name.trim(), value.join(":").trim()]
      }),
  )

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/

/** A certificate and its key in one text of PEM, in any order. */
const readCertificate = (pem: string) => ({
  certificate: pem.replace(privateKey, "").trim(),
  key: privateKey.exec(pem)?.[0] ?? "",
})

/** The ids of customizers in a text. Other words stay as they are, and are refused. */
const readCustomizers = (text: string) => {
  const ids = text.split(/[\s,;]+/).filter((part) => part !== "")
  return ids.length === 0 ? null : (ids.map((id) => (/^\d+$/.test(id) ? Number(id) : id)) as ReadonlyArray<number>)
}

/**
 * The content that was sent. The use case validates it, including the kinds of events and the ids of customizers.
 * Headers and a certificate that are left empty stay as they are, unless they are removed, and so does the OAuth client
 * that is `kept`.
 */
export const readEndpointForm = (kept: OAuthClient) =>
  Effect.map(Form, ({ all, text }) => ({
    url: text("url").trim(),
    description: text("description").trim(),
    events: all("events") as ReadonlyArray<EndpointKind>,
    customizers: readCustomizers(text("customizers")),
    standardWebhooks: text("standardWebhooks") !== "",
    payload: text("payload") === "" ? ("full" as const) : ("reference" as const),
    ordering: text("ordering") === "" ? ("none" as const) : ("object" as const),
    heedRetryAfter: text("heedRetryAfter") !== "",
    ...readPace(text),
    ...(text("headers").trim() !== ""
      ? { headers: readHeaders(text("headers")) }
      : text("removeHeaders") === ""
        ? {}
        : { headers: null }),
    ...readOAuth(text, kept),
    ...(text("clientCertificate").trim() !== ""
      ? { clientCertificate: readCertificate(text("clientCertificate")) }
      : text("removeCertificate") === ""
        ? {}
        : { clientCertificate: null }),
  }))

/** The fields above the headers that may have a problem. */
const aboveHeaders = ["url", "description", "events", "customizers", "maxPerSecond", "maxConcurrent"]

/** The fields of an endpoint's form. */
export const EndpointFields = ({ input, problems }: { readonly input: EndpointInput; readonly problems: Problems }) => {
  const { endpointFields: texts } = useTexts()
  const others = problems.filter(
    ({ path }) =>
      !/^(url|description|events|customizers|maxPerSecond|maxConcurrent|headers|oauth\.|clientCertificate)/.test(path),
  )
  /** Whether nothing above a field has a problem, so that the field may have the focus. */
  const isFirst = (...above: ReadonlyArray<string>) =>
    others.length === 0 && !problems.some(({ path }) => above.some((name) => path.startsWith(name)))
  return (
    <>
      {others.map(({ message }, index) => (
        <p key={message} class="problem" role="alert" tabIndex={-1} autofocus={index === 0}>
          {message}
        </p>
      ))}
      <Field
        name="url"
        label={texts.url}
        hint={texts.urlHint}
        focuses={isFirst()}
        problems={problems}
        control={(attributes) => (
          <input
            type="url"
            inputMode="url"
            placeholder="https://erp.example.com/webhooks"
            value={input.url}
            maxLength={2048}
            autocomplete="off"
            required
            {...attributes}
          />
        )}
      />
      <Field
        name="description"
        label={texts.description}
        hint={texts.descriptionHint}
        focuses={isFirst("url")}
        problems={problems}
        control={(attributes) => (
          <input type="text" value={input.description} maxLength={255} autocomplete="off" {...attributes} />
        )}
      />
      <EventsField
        kinds={input.events}
        hasProblem={problems.some(({ path }) => path.startsWith("events"))}
        focuses={isFirst("url", "description")}
      />
      <Field
        name="customizers"
        label={texts.customizers}
        hint={texts.customizersHint}
        focuses={isFirst("url", "description", "events")}
        problems={problems}
        control={(attributes) => (
          <input
            type="text"
            inputMode="numeric"
            value={(input.customizers ?? []).join(", ")}
            autocomplete="off"
            {...attributes}
          />
        )}
      />
      <DeliveriesField input={input} />
      <PaceFields
        pace={input}
        isFirst={(...above) => isFirst("url", "description", "events", "customizers", ...above)}
        problems={problems}
      />
      <HeadersField names={input.headers} focuses={isFirst(...aboveHeaders)} problems={problems} />
      <OAuthFields
        client={input.oauth}
        isFirst={(...above) => isFirst(...aboveHeaders, "headers", ...above)}
        problems={problems}
      />
      <CertificateField
        certificate={input.clientCertificate}
        focuses={isFirst(...aboveHeaders, "headers", "oauth.")}
        problems={problems}
      />
    </>
  )
}

const HeadersField = ({
  focuses,
  names,
  problems,
}: {
  /** The names of those that are kept. */
  readonly names: ReadonlyArray<string>
  readonly focuses: boolean
  readonly problems: Problems
}) => {
  const { endpointFields: texts } = useTexts()
  return (
    <>
      <Field
        name="headers"
        label={texts.headers}
        hint={texts.headersHint}
        focuses={focuses}
        problems={problems}
        control={(attributes) => (
          <textarea
            rows={2}
            autocomplete="off"
            spellcheck={false}
            placeholder="Authorization: Basic …"
            {...attributes}
          />
        )}
      />
      {names.length > 0 && (
        <Choice name="removeHeaders" label={texts.removeHeaders} checked={false}>
          {texts.keptHeaders} <code>{names.join(", ")}</code>
        </Choice>
      )}
    </>
  )
}

const CertificateField = ({
  certificate,
  focuses,
  problems,
}: {
  readonly certificate: Endpoint["clientCertificate"]
  readonly focuses: boolean
  readonly problems: Problems
}) => {
  const { endpointFields: texts } = useTexts()
  return (
    <>
      <Field
        name="clientCertificate"
        label={texts.certificate}
        hint={texts.certificateHint}
        focuses={focuses}
        problems={problems}
        control={(attributes) => (
          <textarea
            rows={2}
            autocomplete="off"
            spellcheck={false}
            placeholder="-----BEGIN CERTIFICATE-----"
            {...attributes}
          />
        )}
      />
      {certificate !== null && (
        <Choice name="removeCertificate" label={texts.removeCertificate} checked={false}>
          {texts.keptHeaders} <code>{certificate.subject}</code>
        </Choice>
      )}
    </>
  )
}

const EventsField = ({
  focuses,
  hasProblem,
  kinds,
}: {
  readonly kinds: ReadonlyArray<string>
  readonly hasProblem: boolean
  readonly focuses: boolean
}) => {
  const { endpointFields: texts, events } = useTexts()
  return (
    <fieldset {...(hasProblem ? { "aria-describedby": "events-problem" } : {})}>
      <legend>{texts.events}</legend>
      <p class="hint">{texts.eventsHint}</p>
      {EndpointKind.literals.map((kind, index) => (
        <div key={kind} class="choice">
          <input
            type="checkbox"
            id={`events-${kind}`}
            name="events"
            value={kind}
            checked={kinds.includes(kind)}
            autofocus={hasProblem && focuses && index === 0}
            aria-describedby={`events-${kind}-hint`}
          />
          <label for={`events-${kind}`}>
            <code>{kind}</code>
          </label>
          <p class="hint" id={`events-${kind}-hint`}>
            {events.meanings[kind]}
          </p>
        </div>
      ))}
      {hasProblem && (
        <p class="problem" id="events-problem">
          {useTexts().problems.events}
        </p>
      )}
    </fieldset>
  )
}

const DeliveriesField = ({ input }: { readonly input: EndpointInput }) => {
  const { endpointFields: texts } = useTexts()
  return (
    <fieldset>
      <legend>{texts.deliveries}</legend>
      <Choice name="standardWebhooks" label={texts.standard} checked={input.standardWebhooks}>
        <code>webhook-id</code>, <code>webhook-timestamp</code>
        {texts.and}
        <code>webhook-signature</code>
        {texts.standardHint}
      </Choice>
      <Choice name="payload" label={texts.reference} checked={input.payload === "reference"}>
        {texts.referenceHint}
      </Choice>
      <Choice name="ordering" label={texts.ordered} checked={input.ordering === "object"}>
        {texts.orderedHint}
      </Choice>
      <Choice name="heedRetryAfter" label={texts.retryAfter} checked={input.heedRetryAfter}>
        {texts.retryAfterBefore}
        <code>Retry-After</code>
        {texts.retryAfterHint}
      </Choice>
    </fieldset>
  )
}

const Choice = ({
  checked,
  children,
  label,
  name,
}: {
  readonly name: string
  readonly label: string
  readonly checked: boolean
  readonly children: ComponentChildren
}) => (
  <div class="choice">
    <input type="checkbox" id={name} name={name} value="yes" checked={checked} aria-describedby={`${name}-hint`} />
    <label for={name}>{label}</label>
    <p class="hint" id={`${name}-hint`}>
      {children}
    </p>
  </div>
)
