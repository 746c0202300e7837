import type { Endpoint } from "../../../../core/model/Endpoint.ts"
import type { Problems } from "../../Problems.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { Field } from "../Field.tsx"
import { Choice } from "./Choice.tsx"
import { FoldedFields } from "./FoldedFields.tsx"
import { type OAuthClient, OAuthFields, readOAuth } from "./OAuthFields.tsx"

/** The content of these fields. */
export interface AccessInput {
  /** The names of those that are kept. */
  readonly headers: ReadonlyArray<string>
  readonly oauth: OAuthClient
  readonly clientCertificate: Endpoint["clientCertificate"]
}

/** The fields that may have a problem. Those of an OAuth client begin alike. */
export const accessFields = ["headers", "oauth.", "clientCertificate"]

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

/** The content of these fields in a form that was sent. What is left out stays as it is. */
export const readAccess = (text: (name: string) => string, kept: OAuthClient) => ({
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
})

/** The fields of everything that a receiver asks of deliveries before it lets them in. */
export const AccessFields = ({
  input,
  isFirst,
  problems,
}: {
  readonly input: AccessInput
  readonly problems: Problems
  /** Whether nothing above a field has a problem. */
  readonly isFirst: (...above: ReadonlyArray<string>) => boolean
}) => {
  const { endpointFields: texts } = useTexts()
  const { clientCertificate, headers, oauth } = input
  const isInUse = headers.length > 0 || oauth !== null || clientCertificate !== null
  return (
    <FoldedFields title={texts.access} fields={accessFields} isInUse={isInUse} problems={problems}>
      <KeptSecretField
        name="headers"
        remove="removeHeaders"
        kept={headers.length > 0 ? headers.join(", ") : undefined}
        placeholder="Authorization: Basic …"
        texts={{ label: texts.headers, hint: texts.headersHint, remove: texts.removeHeaders }}
        focuses={isFirst()}
        problems={problems}
      />
      <OAuthFields client={oauth} isFirst={(...above) => isFirst("headers", ...above)} problems={problems} />
      <KeptSecretField
        name="clientCertificate"
        remove="removeCertificate"
        kept={clientCertificate?.subject}
        placeholder="-----BEGIN CERTIFICATE-----"
        texts={{ label: texts.certificate, hint: texts.certificateHint, remove: texts.removeCertificate }}
        focuses={isFirst("headers", "oauth.")}
        problems={problems}
      />
    </FoldedFields>
  )
}

/** A secret of several lines, whose value is never shown: the kept one stays if the field is empty. */
const KeptSecretField = ({
  focuses,
  kept,
  name,
  placeholder,
  problems,
  remove,
  texts,
}: {
  readonly name: string
  /** The name of the box that removes the kept one. */
  readonly remove: string
  /** The part of the kept one that may be shown, if there is one. */
  readonly kept: string | undefined
  readonly placeholder: string
  readonly texts: { readonly label: string; readonly hint: string; readonly remove: string }
  readonly focuses: boolean
  readonly problems: Problems
}) => (
  <>
    <Field
      name={name}
      label={texts.label}
      hint={texts.hint}
      focuses={focuses}
      problems={problems}
      control={(attributes) => (
        <textarea rows={2} autocomplete="off" spellcheck={false} placeholder={placeholder} {...attributes} />
      )}
    />
    {kept !== undefined && (
      <Choice name={remove} label={texts.remove} checked={false}>
        {useTexts().endpointFields.keptHeaders} <code>{kept}</code>
      </Choice>
    )}
  </>
)
