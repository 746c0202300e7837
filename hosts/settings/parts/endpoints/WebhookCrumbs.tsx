import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import type { VisitProps } from "../../Visit.ts"
import { cut } from "../catalog/Cut.ts"
import { NameLink } from "../catalog/Isolated.tsx"
import { nameOf } from "./EndpointName.tsx"

/** The links from a page back to the list of endpoints and, if the page is below an endpoint's, to that endpoint. */
export const WebhookCrumbs = ({
  endpoint,
  visit: { root, texts },
}: VisitProps & { readonly endpoint?: Pick<Endpoint, "description" | "id" | "url"> }) => (
  <p class="crumbs">
    <a href={`${root}webhooks`}>{texts.webhooks.title}</a>
    {endpoint !== undefined && (
      <>
        {" / "}
        <NameLink href={`${root}webhooks/${endpoint.id}`} name={cut(nameOf(endpoint), 60)} />
      </>
    )}
  </p>
)
