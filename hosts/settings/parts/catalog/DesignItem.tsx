import { Fragment } from "preact"
import type { Design } from "../../../../core/model/catalog/Design.ts"
import type { VisitProps } from "../../Visit.ts"
import { Icon } from "../Icon.tsx"
import { bytesIn, cut } from "./Cut.ts"
import { Isolated, NameLink } from "./Isolated.tsx"
import { designHref } from "./Links.ts"

/** The design of an order in a list; `design` is `null` if it is too large for one. */
export interface ItemDesign {
  readonly id: string
  readonly design: Design | null
}

/** The first answers, each with its question, of 200 characters in all. */
const summaryOf = ({ summary }: Design): ReadonlyArray<readonly [key: string, value: string]> => {
  let left = 200
  return summary.slice(0, 20).flatMap(({ key, value }) => {
    if (left <= 0) return []
    const entry = [cut(key, Math.min(left, 80)), cut([value].flat().join(", "), left)] as const
    left -= entry[0].length + entry[1].length
    return [entry]
  })
}

/** About as many bytes as a design takes in a list. */
export const designBytes = ({ design, id }: ItemDesign): number =>
  330 +
  encodeURIComponent(id).length +
  (design === null
    ? 0
    : bytesIn(cut(design.customizer.title, 100), design.thumbnail, ...summaryOf(design).flat()) +
      25 * summaryOf(design).length)

/** The first answers of a design in a line. */
export const Summary = ({ design }: { readonly design: Design }) => (
  <p class="hint">
    {summaryOf(design).map((entry, index) => (
      <Fragment key={index}>
        {index > 0 && " · "}
        <Isolated texts={entry} between=": " />
      </Fragment>
    ))}
  </p>
)

/** A design in a list, with its picture. */
export const DesignItem = ({ design, id, visit }: ItemDesign & VisitProps) => (
  <li>
    {design === null ? (
      <Icon name="customizer" />
    ) : (
      <img src={design.thumbnail} alt="" width="48" height="48" loading="lazy" />
    )}
    <div>
      <p>
        <NameLink href={designHref(visit.root, id)} name={cut(design?.customizer.title ?? id, 100)} />
      </p>
      {design === null ? <p class="hint">{visit.texts.orders.large}</p> : <Summary design={design} />}
    </div>
  </li>
)
