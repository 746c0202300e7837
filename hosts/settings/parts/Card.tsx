import { type ComponentChildren, Fragment } from "preact"

/** A card with a heading. */
export const Card = ({
  aside,
  children,
  id,
  title,
}: {
  /** The id of the heading. */
  readonly id: string
  readonly title: ComponentChildren
  /** Alongside the heading. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <section class="card" aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

/** A card with facts: each has a term. Those that are `false` are left out. */
export const Facts = ({
  children,
  facts,
  label,
}: {
  readonly label: string
  readonly facts: ReadonlyArray<false | readonly [term: string, fact: ComponentChildren]>
  /** Beneath the facts. */
  readonly children?: ComponentChildren
}) => (
  <section class="card pad" aria-label={label}>
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <Fragment key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
    {children}
  </section>
)
