import type { LineView } from "../../../../core/usecases/orders/SearchOrders.ts"
import type { VisitProps } from "../../Visit.ts"
import { Table } from "../List.tsx"
import { bytesIn, cut } from "./Cut.ts"
import { NameLink } from "./Isolated.tsx"
import { designHref } from "./Links.ts"

/** The titles of designs by their ids. */
export type Titles = ReadonlyMap<string, string>

/** About as many bytes as a line takes in the table. */
export const lineBytes = ({ copyOf, designId, lineItemId }: LineView, titles: Titles): number =>
  320 +
  encodeURIComponent(designId).length +
  bytesIn(cut(lineItemId ?? "", 60), cut(titles.get(designId) ?? designId, 60)) +
  (copyOf === null ? 0 : 60 + encodeURIComponent(copyOf).length + bytesIn(cut(copyOf, 60)))

/** The lines of an order: which design is on which line, how many pieces of it, and whether they must be made (D81). */
export const LineTable = ({
  lines,
  titles,
  visit,
}: VisitProps & { readonly lines: ReadonlyArray<LineView>; readonly titles: Titles }) => {
  const texts = visit.texts.orders
  const link = (id: string) => <NameLink href={designHref(visit.root, id)} name={cut(titles.get(id) ?? id, 60)} />
  return (
    <Table
      rows={lines}
      keyOf={(_, index) => index}
      columns={[
        { label: texts.line, cell: ({ lineItemId }) => <bdi>{lineItemId === null ? "–" : cut(lineItemId, 60)}</bdi> },
        {
          label: texts.design,
          cell: ({ copyOf, designId }) => (
            <>
              {link(designId)}
              {copyOf !== null && (
                <span class="hint">
                  {" "}
                  {texts.copyOf} {link(copyOf)}
                </span>
              )}
            </>
          ),
        },
        { label: texts.quantity, class: "number", cell: ({ quantity }) => visit.figures.figure(quantity) },
        {
          label: texts.state,
          cell: ({ quantity, status }) => {
            if (status === "ordered" && quantity > 0) return <span class="badge good">{texts.statuses.ordered}</span>
            if (status === null && quantity > 0) return "–"
            return <span class="badge">{status === "cancelled" ? texts.statuses.cancelled : texts.gone}</span>
          },
        },
      ]}
    />
  )
}
