// Pages name times in UTC. With scripts, the time in the browser's own zone stands alongside it: in the text of a time
// that is written out, otherwise in its tooltip. The days of filters are of this zone, too: a cookie says which it is.

const { lang, dataset } = document.documentElement
const clock = { hour: "2-digit", minute: "2-digit" } as const
const whole = { day: "numeric", month: "short", ...clock } as const
const exact = { ...whole, year: "numeric", second: "2-digit", timeZoneName: "short" } as const

const locale = dataset["locale"] ?? lang
const local = new Intl.DateTimeFormat(locale, exact)
const utc = new Intl.DateTimeFormat(locale, { ...exact, timeZone: "UTC" })
const ticks = { whole: new Intl.DateTimeFormat(locale, whole), time: new Intl.DateTimeFormat(locale, clock) }

/** Adds local times to a part of a page that has none yet. Adds nothing where the local time is UTC. */
export const addLocalTimes = (part: ParentNode): void => {
  for (const time of part.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const at = new Date(time.dateTime)
    const text = local.format(at)
    if (text === utc.format(at)) continue
    const tick = time.dataset["tick"]
    if (tick !== undefined) time.textContent = ticks[tick as keyof typeof ticks].format(at)
    else if (time.dataset["exact"] === undefined) time.title = time.title === "" ? text : `${time.title} · ${text}`
    else time.textContent += ` (${text})`
  }
}

/** Keeps the name of the zone in a cookie for pages to come: as sessions, apart for each site around a frame. */
export const keepZone = (): void => {
  const zone = `designwire_zone=${local.resolvedOptions().timeZone}`
  if (document.cookie.split("; ").includes(zone)) return
  const isSecure = location.protocol === "https:"
  const site = isSecure && self !== top ? "None; Partitioned" : "Lax"
  // The script is at the app's path, whatever proxies make of it.
  const path = new URL(".", import.meta.url).pathname
  // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies is missing in some browsers.
  document.cookie = `${zone}; Path=${path}; SameSite=${site}${isSecure ? "; Secure" : ""}`
}
