import { UrlParams } from "effect/http"

/** The query of an address. */
export const queryOf = (url: string): URLSearchParams => {
  const start = url.indexOf("?")
  return new URLSearchParams(start === -1 ? "" : url.slice(start))
}

/** The parameters of an address; a parameter that it has more than once is a list. */
export const parametersOf = (url: string) => UrlParams.toRecord(UrlParams.fromInput(queryOf(url)))
