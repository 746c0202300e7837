/** The parts of a list: its filter, its table, the content of an empty one, and the links between its pages. */

import type { ComponentChildren } from "preact"
import type { Texts } from "../texts/Language.ts"
import type { Visit, VisitProps } from "../Visit.ts"
import { LinkButton, Submit } from "./Buttons.tsx"
import { hereWith } from "./CurrentLanguage.ts"
import { Icon } from "./Icon.tsx"

/** A column of a table. */
export interface Column<Row> {
  readonly label: string
  readonly cell: (row: Row) => ComponentChildren
  readonly class?: string
  /** The language of its cells, if it is not the one of the page. */
  readonly lang?: string | undefined
  /** Whether the cell needs no label if the row is shown as a card: it names the row, or has its buttons. */
  readonly isBare?: boolean
  /** The address of the table sorted by it, and its order if it is. */
  readonly href?: string
  readonly order?: "ascending" | "descending" | undefined
  /** Whether the label is for readers who can't see that the column has buttons. */
  readonly isHidden?: boolean
}

const isLog = (kind: string) => kind.startsWith("log")

/** A table whose rows fold into cards on narrow screens; those of a `log` are lines. */
export const Table = <Row,>({
  columns,
  id,
  keyOf,
  kind = "",
  rows,
}: {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row, index: number) => string | number
  /** Classes, alongside `folding` unless it is a `log`. */
  readonly kind?: string
  readonly id?: string
}) => (
  <table class={isLog(kind) ? kind : `folding ${kind}`} {...(id === undefined ? {} : { id })}>
    <thead>
      <tr>
        {columns.map(({ class: look, href, isHidden, order, label }) => (
          <th key={label} scope="col" class={look} aria-sort={order}>
            {isHidden ? (
              <span class="visually-hidden">{label}</span>
            ) : href === undefined ? (
              label
            ) : (
              <a href={href}>{label}</a>
            )}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, index) => (
        <tr key={keyOf(row, index)}>
          {columns.map(({ cell, class: look, isBare, label, lang }) => (
            <td
              key={label}
              lang={lang}
              {...(look === undefined ? {} : { class: look })}
              {...(isBare || isLog(kind) ? {} : { "data-label": label })}
            >
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

/** The content of an empty list. */
export const Empty = ({
  children,
  icon,
  text,
  title,
}: {
  readonly icon: Parameters<typeof Icon>[0]["name"]
  readonly title?: string | undefined
  readonly text?: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty">
    <Icon name={icon} />
    {title !== undefined && <h2>{title}</h2>}
    {text !== undefined && <p>{text}</p>}
    {children}
  </div>
)

/** Links to the first page of a list, unless it is shown, and to the next, whose cursor is `next`, if there is one. */
export const Pages = ({
  isInCard = false,
  next,
  of,
  sorted = "newest",
  visit,
}: VisitProps & {
  readonly next: string | number | null | undefined
  /** The words for its order. */
  readonly sorted?: keyof Texts["paging"]["links"]
  /** The name of the list, if there are several on the page. */
  readonly of?: string
  readonly isInCard?: boolean
}) => {
  const { links, pages } = visit.texts.paging
  const [first, further] = links[sorted]
  const isFirst = (new URLSearchParams(visit.path.split("?")[1]).get("after") ?? "") === ""
  return isFirst && next == null ? null : (
    <nav class={isInCard ? "actions pad pager" : "actions"} aria-label={of === undefined ? pages : `${pages}, ${of}`}>
      {!isFirst && <LinkButton href={hereWith(visit, { after: "" })} text={first} />}
      {next != null && <LinkButton href={hereWith(visit, { after: String(next) })} rel="next" text={further} />}
    </nav>
  )
}

/** The part of a list that is shown: `1 to 20 of 45`. */
export const rangeOf = ({ figures: { figure }, texts }: Visit["Service"], at: number, end: number, total: number) =>
  texts.orders.range(figure(at + 1), figure(end), figure(total))

/** Links to the beginning and to the next part of a list whose end is known. */
export const Parts = ({
  at,
  end,
  label,
  link,
  total,
  visit,
}: VisitProps & {
  readonly label: string
  readonly at: number
  readonly end: number
  readonly total: number
  /** The address of the part that begins at a number, or of the first. */
  readonly link: (at?: number) => string
}) => {
  const { beginning, further } = visit.texts.paging
  if (at === 0 && end >= total) return null
  return (
    <nav class="actions" aria-label={label}>
      <span class="hint">{rangeOf(visit, at, end, total)}</span>
      {at > 0 && <LinkButton href={link()} text={beginning} />}
      {end < total && <LinkButton href={link(end)} text={further} />}
    </nav>
  )
}

/** A choice of a filter. */
export interface FilterChoice {
  readonly value: string
  readonly text: string
}

/** A field of a filter with choices. */
export const ChoiceField = ({
  any,
  choices,
  label,
  name,
  value: chosen,
}: {
  readonly name: string
  readonly label: string
  /** The text of the choice that filters nothing. */
  readonly any: string
  readonly choices: ReadonlyArray<FilterChoice>
  readonly value: string
}) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">{any}</option>
      {choices.map(({ text, value }) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </div>
)

/** A field of a filter with a day. */
export const DayField = ({
  label,
  name,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
}) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input type="date" id={name} name={name} value={value} />
  </div>
)

/** A list to filter by one value, or by none. */
export const FilterSelect = ({
  all,
  label,
  name,
  value,
  nameOf = (value) => value,
  values,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  /** The text of the option that filters nothing. */
  readonly all: string
  readonly values: ReadonlyArray<string>
  /** The text of a value's option. Default: the value. */
  readonly nameOf?: (value: string) => string
}) => (
  <select name={name} aria-label={label} class="small">
    <option value="">{all}</option>
    {values.map((each) => (
      <option key={each} value={each} selected={each === value}>
        {nameOf(each)}
      </option>
    ))}
  </select>
)

/** The search of a list: a form that opens the same page with `q`. */
export const SearchForm = ({
  label,
  search,
  visit,
}: VisitProps & {
  /** The texts that the search accepts. */
  readonly label: string
  readonly search: string
}) => (
  <search>
    <form method="get" class="card pad inline">
      <div class="field">
        <label for="q">{label}</label>
        <input type="search" id="q" name="q" value={search} maxLength={255} autocomplete="off" />
      </div>
      <Submit text={visit.texts.paging.search} />
    </form>
  </search>
)

/** The content of a list if a search finds nothing. */
export const NoneFound = ({ search, visit }: VisitProps & { readonly search: string }) => (
  <div class="empty">
    <h2>{visit.texts.paging.noneFound}</h2>
    <p>
      <bdi>{visit.texts.paging.tryAnother(search)}</bdi>
    </p>
    <LinkButton href="?" text={visit.texts.paging.showAll} />
  </div>
)
