import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { cut } from "../catalog/Cut.ts"

/** A heading has at most this many characters of a URL. */
const maximumShown = 120

/** An endpoint's name as the heading of its page, with its URL. Of a long one, the beginning; the whole opens below. */
export const EndpointHeading = ({ endpoint: { description, url } }: { readonly endpoint: Endpoint }) => {
  const { parts } = useTexts()
  const shown = <bdi>{cut(url, maximumShown)}</bdi>
  return (
    <>
      {description === "" ? (
        <h1 class="url">{shown}</h1>
      ) : (
        <>
          <h1>
            <bdi>{description}</bdi>
          </h1>
          <p class="mono">{shown}</p>
        </>
      )}
      {url.length > maximumShown && (
        <details class="whole-url">
          <summary>{parts.wholeUrl}</summary>
          <p class="mono">
            <bdi>{url}</bdi>
          </p>
        </details>
      )}
    </>
  )
}

/** The host of a URL, for titles and short texts. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url

/** An endpoint as its owner calls it: by its description, or by the host of its URL. */
export const nameOf = ({ description, url }: { readonly description: string; readonly url: string }): string =>
  description === "" ? hostOf(url) : description

/** The characters of a name or a host that are shown. */
const longestName = 60

/** An endpoint by its name, as a link, with its host beneath, if that is not the name. */
export const EndpointName = ({ endpoint, root }: { readonly endpoint: Endpoint; readonly root: string }) => (
  <>
    <a href={`${root}webhooks/${endpoint.id}`}>
      <bdi>{cut(nameOf(endpoint), longestName)}</bdi>
    </a>
    {endpoint.description !== "" && (
      <p class="hint">
        <bdi>{cut(hostOf(endpoint.url), longestName)}</bdi>
      </p>
    )}
  </>
)
