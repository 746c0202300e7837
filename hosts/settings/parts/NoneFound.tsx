import type { Visit } from "../Visit.ts"

/** The content of a list if a search finds nothing. */
export const NoneFound = ({ search, visit }: { readonly visit: Visit["Service"]; readonly search: string }) => (
  <div class="empty">
    <h2>{visit.texts.paging.noneFound}</h2>
    <p>
      <bdi>{visit.texts.paging.tryAnother(search)}</bdi>
    </p>
    <a class="button" href="?">
      {visit.texts.paging.showAll}
    </a>
  </div>
)
