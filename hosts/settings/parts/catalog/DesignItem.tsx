import type { Design } from "../../../../core/model/catalog/Design.ts"
import type { Visit } from "../../Visit.ts"
import { Icon } from "../Icon.tsx"
import { bytesIn, cut } from "./Cut.ts"
import { designHref } from "./Links.ts"

/** The design of an order in a list; `design` is `null` if it is too large for one. */
export interface ItemDesign {
  readonly id: string
  readonly design: Design | null
}

const summaryOf = ({ summary }: Design): string =>
  cut(
    summary
      .slice(0, 20)
      .map(({ key, value }) => `${cut(key, 80)}: ${cut(typeof value === "string" ? value : value.join(", "), 200)}`)
      .join(" · "),
    200,
  )

/** About as many bytes as a design takes in a list. */
export const designBytes = ({ design, id }: ItemDesign): number =>
  330 +
  encodeURIComponent(id).length +
  (design === null ? 0 : bytesIn(cut(design.customizer.title, 100), design.thumbnail, summaryOf(design)))

/** A design in a list, with its picture. */
export const DesignItem = ({ design, id, visit }: ItemDesign & { readonly visit: Visit["Service"] }) => (
  <li>
    {design === null ? (
      <Icon name="customizer" />
    ) : (
      <img src={design.thumbnail} alt="" width="48" height="48" loading="lazy" />
    )}
    <div>
      <p>
        <a href={designHref(visit.root, id)}>
          <bdi>{cut(design?.customizer.title ?? id, 100)}</bdi>
        </a>
      </p>
      {design === null ? (
        <p class="hint">{visit.texts.orders.large}</p>
      ) : (
        <p class="hint">
          <bdi>{summaryOf(design)}</bdi>
        </p>
      )}
    </div>
  </li>
)
