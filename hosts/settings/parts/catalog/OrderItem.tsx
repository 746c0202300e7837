import type { OrderView } from "../../../../core/usecases/orders/SearchOrders.ts"
import type { VisitProps } from "../../Visit.ts"
import { Time } from "../Time.tsx"
import { cut } from "./Cut.ts"
import { DesignItem } from "./DesignItem.tsx"
import { orderHref } from "./Links.ts"

/** An order in a list with some of its designs: with its id and their number, or with how many `more` there are. */
export const OrderItem = ({
  more,
  view: { designs, order, total },
  visit,
}: VisitProps & { readonly view: OrderView; readonly more?: string | false }) => {
  const { figures, now, root, texts } = visit
  return (
    <li>
      <p class="order">
        <a href={orderHref(root, order.id)}>
          <strong>
            <bdi>{cut(order.name, 100)}</bdi>
          </strong>
        </a>
        {more === undefined && (
          <code>
            <bdi>{cut(order.id, 100)}</bdi>
          </code>
        )}
        <span class={order.status === "cancelled" ? "badge" : "badge good"}>{texts.orders.statuses[order.status]}</span>
        <span class="hint">
          <Time at={order.orderedAt} now={now} />
        </span>
        {more === undefined && <span class="hint">{texts.orders.designs(figures.figure(total), total === 1)}</span>}
        <span class="number">{figures.money(order.total, order.currency)}</span>
      </p>
      {designs.length > 0 && (
        <ul class="designs">
          {designs.map((design) => (
            <DesignItem key={design.id} {...design} visit={visit} />
          ))}
          {more && <li class="hint">{more}</li>}
        </ul>
      )}
    </li>
  )
}
