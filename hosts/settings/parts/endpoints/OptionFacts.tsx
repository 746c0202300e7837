import type { Endpoint } from "../../../../core/model/Endpoint.ts"
import type { Instant } from "../../../../core/model/Instant.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { Time } from "../Time.tsx"

/** How the deliveries of an endpoint differ from the usual ones: terms and descriptions of a list. */
export const OptionFacts = ({ endpoint, now }: { readonly endpoint: Endpoint; readonly now: Instant }) => {
  const { endpoint: texts } = useTexts()
  const pace = [
    ...(endpoint.maxPerSecond === null ? [] : [texts.perSecond(endpoint.maxPerSecond)]),
    ...(endpoint.maxConcurrent === null ? [] : [texts.concurrent(endpoint.maxConcurrent)]),
  ]
  return (
    <>
      {endpoint.headers.length > 0 && (
        <>
          <dt>{texts.ownersHeaders}</dt>
          <dd>
            <code>{endpoint.headers.join(", ")}</code>
          </dd>
        </>
      )}
      {endpoint.oauth !== null && (
        <>
          <dt>{texts.oauth}</dt>
          <dd>
            <code>{endpoint.oauth.tokenUrl}</code>
          </dd>
        </>
      )}
      {endpoint.clientCertificate !== null && (
        <>
          <dt>{texts.certificate}</dt>
          <dd>
            <code>{endpoint.clientCertificate.subject}</code>{" "}
            {texts.certificateEnds(<Time at={endpoint.clientCertificate.endsAt} now={now} />)}
          </dd>
        </>
      )}
      {endpoint.payload === "reference" && (
        <>
          <dt>{texts.payload}</dt>
          <dd>{texts.references}</dd>
        </>
      )}
      {endpoint.heedRetryAfter && (
        <>
          <dt>{texts.retries}</dt>
          <dd>{texts.retryAfter}</dd>
        </>
      )}
      {endpoint.ordering === "object" && (
        <>
          <dt>{texts.ordering}</dt>
          <dd>{texts.ordered}</dd>
        </>
      )}
      {pace.length > 0 && (
        <>
          <dt>{texts.pace}</dt>
          <dd>{pace.join(", ")}</dd>
        </>
      )}
    </>
  )
}
