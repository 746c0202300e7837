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

/** The fields of what a receiver asks deliveries for before it lets them in. */
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
  const { clientCertificate, headers, oauth } = input
  const isInUse = headers.length > 0 || oauth !== null || clientCertificate !== null
  return (
    <FoldedFields title={useTexts().endpointFields.access} fields={accessFields} isInUse={isInUse} problems={problems}>
      <HeadersField names={headers} focuses={isFirst()} problems={problems} />
      <OAuthFields client={oauth} isFirst={(...above) => isFirst("headers", ...above)} problems={problems} />
      <CertificateField certificate={clientCertificate} focuses={isFirst("headers", "oauth.")} problems={problems} />
    </FoldedFields>
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
