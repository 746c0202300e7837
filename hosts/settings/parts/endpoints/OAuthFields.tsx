import type { ClientCredentials } from "../../../../core/model/webhooks/ClientCredentials.ts"
import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import type { Problems } from "../../Problems.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { Field } from "../Field.tsx"

/** An OAuth client as a page may show it. */
export type OAuthClient = Endpoint["oauth"]

const names = ["tokenUrl", "clientId", "clientSecret", "scope", "audience"] as const

const orNull = (text: string): string | null => (text === "" ? null : text)

/**
 * The client that was sent; `null` if no field has a text. It is left out, and so stays as it is, if it is the one that
 * is `kept` and its secret was left empty.
 */
export const readOAuth = (
  text: (name: string) => string,
  kept: OAuthClient,
): { readonly oauth?: ClientCredentials | null } => {
  const [tokenUrl, clientId, clientSecret, scope, audience] = names.map((name) => text(`oauth.${name}`).trim()) as [
    ...[string, string, string, string, string],
  ]
  if ([tokenUrl, clientId, clientSecret, scope, audience].every((part) => part === "")) return { oauth: null }
  const given = { tokenUrl, clientId, scope: orNull(scope), audience: orNull(audience) }
  const isKept =
    clientSecret === "" && kept !== null && names.every((name) => name === "clientSecret" || given[name] === kept[name])
  return isKept ? {} : { oauth: { ...given, clientSecret } }
}

/** The client that the form shows again: the one that was sent, without its secret, or else the one that is kept. */
export const shownOAuth = (
  { oauth }: { readonly oauth?: ClientCredentials | null },
  kept: OAuthClient,
): OAuthClient => {
  if (oauth === undefined || oauth === null) return oauth === null ? null : kept
  const { audience = null, clientId, scope = null, tokenUrl } = oauth
  return { tokenUrl, clientId, scope, audience }
}

/** The fields of an OAuth client. The secret is never shown. */
export const OAuthFields = ({
  client,
  isFirst,
  problems,
}: {
  readonly client: OAuthClient
  readonly problems: Problems
  /** Whether nothing above a field has a problem. */
  readonly isFirst: (...above: ReadonlyArray<string>) => boolean
}) => {
  const { endpointFields: texts, endpointOptions: options } = useTexts()
  const values = { clientSecret: "", ...(client ?? { tokenUrl: "", clientId: "", scope: "", audience: "" }) }
  return (
    <fieldset>
      <legend>{options.oauth.label}</legend>
      <p class="hint">{options.oauth.hint}</p>
      {names.map((name, index) => (
        <Field
          key={name}
          name={`oauth.${name}`}
          label={texts.oauthFields[name]}
          {...(name === "clientSecret" ? { hint: texts.clientSecretHint } : {})}
          focuses={isFirst(...names.slice(0, index).map((above) => `oauth.${above}`))}
          problems={problems}
          control={(attributes) => {
            const shared = { value: values[name] ?? "", autocomplete: "off", spellcheck: false, ...attributes }
            return name === "clientSecret" ? (
              <input type="password" {...shared} autocomplete="new-password" />
            ) : (
              <input type="text" {...shared} />
            )
          }}
        />
      ))}
    </fieldset>
  )
}
