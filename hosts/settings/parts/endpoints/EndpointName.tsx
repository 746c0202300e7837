import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { cut } from "../catalog/Cut.ts"
import { NameLink } from "../catalog/Isolated.tsx"

/** A fact has at most this many characters of a URL. */
const maximumShown = 120

/** The URL of an endpoint. Of a long one, the beginning, which opens the rest. */
export const WholeUrl = ({ url }: { readonly url: string }) =>
  url.length <= maximumShown ? (
    <bdi class="mono">{url}</bdi>
  ) : (
    <details class="whole-url mono">
      <summary>
        <bdi>{`${url.slice(0, maximumShown)}…`}</bdi>
      </summary>
      <p>
        <bdi>{url}</bdi>
      </p>
    </details>
  )

const hostOf = (url: string): string => URL.parse(url)?.host ?? url

/** An endpoint as its owner calls it: by its description, or by the host of its URL. */
export const nameOf = ({ description, url }: { readonly description: string; readonly url: string }): string =>
  description === "" ? hostOf(url) : description

/** The characters of a name or a host that are shown. */
const longestName = 60

/** The host of an endpoint, beneath its name, if that is another. */
export const EndpointHost = ({ endpoint: { description, url } }: { readonly endpoint: Endpoint }) =>
  description === "" ? null : (
    <p class="hint">
      <bdi>{cut(hostOf(url), longestName)}</bdi>
    </p>
  )

/** An endpoint by its name, as a link, with its host beneath. */
export const EndpointName = ({ endpoint, root }: { readonly endpoint: Endpoint; readonly root: string }) => (
  <>
    <NameLink href={`${root}webhooks/${endpoint.id}`} name={cut(nameOf(endpoint), longestName)} />
    <EndpointHost endpoint={endpoint} />
  </>
)
