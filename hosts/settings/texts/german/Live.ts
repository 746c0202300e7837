import type { Texts } from "../Language.ts"

export const live: Texts["live"] = {
  stale: "Diese Seite ließ sich nicht aktualisieren und ist vielleicht veraltet. Laden Sie sie neu.",
}
