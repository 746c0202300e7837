import type { Visit } from "../Visit.ts"

/** The search of a list: a form that opens the same page with `q`. */
export const SearchForm = ({
  label,
  search,
  visit,
}: {
  readonly visit: Visit["Service"]
  /** The texts that the search accepts. */
  readonly label: string
  readonly search: string
}) => (
  <search>
    <form method="get" class="inline">
      <div class="field">
        <label for="q">{label}</label>
        <input type="search" id="q" name="q" value={search} maxLength={255} autocomplete="off" />
      </div>
      <button class="button" type="submit">
        {visit.texts.paging.search}
      </button>
    </form>
  </search>
)
