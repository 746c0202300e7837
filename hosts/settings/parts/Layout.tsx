import { type ComponentChildren, Fragment } from "preact"
import { localeOf } from "../texts/Language.ts"
import type { VisitProps } from "../Visit.ts"
import { Submit } from "./Buttons.tsx"
import { FlashBox } from "./FlashBox.tsx"
import { Icon } from "./Icon.tsx"
import { PostForm } from "./PostForm.tsx"

/** The title of a page, which may begin with crumbs and end with a lead, and the page's main actions alongside it. */
export const PageTitle = ({
  actions,
  children,
  lead,
  title,
}: {
  readonly title?: string
  readonly lead?: string
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}) => (
  <div class="title">
    <div>
      {children}
      {title !== undefined && <h1>{title}</h1>}
      {lead !== undefined && <p>{lead}</p>}
    </div>
    {actions}
  </div>
)

/** Links to the pages above a page, from the top. */
export const Crumbs = ({ links }: { readonly links: ReadonlyArray<readonly [href: string, text: string]> }) => (
  <p class="crumbs">
    {links.map(([href, text], index) => (
      <Fragment key={href}>
        {index > 0 && " / "}
        <a href={href}>{index > 0 ? <bdi>{text}</bdi> : text}</a>
      </Fragment>
    ))}
  </p>
)

/** A part of a page that stays up to date if scripts run. Its name is unique on its page. */
export const Region = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="region" data-live={name}>
    {children}
  </div>
)

/** The sections of the app, in the order of its menu. */
const sections = [
  { id: "overview", icon: "overview" },
  { id: "orders", icon: "order" },
  { id: "inbox", icon: "inbox" },
  { id: "production", icon: "production" },
  { id: "customizers", icon: "customizer" },
  { id: "webhooks", icon: "webhook" },
  { id: "deliveries", icon: "deliveries" },
  { id: "events", icon: "events" },
  { id: "tokens", icon: "token" },
  { id: "audit", icon: "clock" },
] as const

export type Section = (typeof sections)[number]["id"]

/** A page without its content. */
export interface Frame extends VisitProps {
  readonly title: string
  /** The current store, if there is one. */
  readonly shop?: { readonly id: string; readonly domain: string } | undefined
  readonly section?: Section | undefined
  /** Whether the page stays up to date: not if it answers a form. */
  readonly isLive?: boolean
  /** How many things of a section need attention: endpoints that are off, and events of platforms. */
  readonly attention?: Readonly<Partial<Record<Section, number>>>
  /** Whether endpoints that are off are said above the content, too. */
  readonly saysOff?: boolean
}

/** A whole page. */
export const Layout = ({
  attention = {},
  children,
  isLive = false,
  saysOff = false,
  section,
  shop,
  title,
  visit,
}: Frame & { readonly children: ComponentChildren }) => {
  const { appRoot, root, site, texts } = visit
  const { webhooks: off = 0 } = attention
  return (
    <html lang={site.language.tag} data-locale={localeOf(site.language)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{[title, ...(shop === undefined ? [] : [shop.domain]), site.name].join(" · ")}</title>
        <link rel="icon" href={`${appRoot}icon.svg?v=${site.version}`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${appRoot}style.css?v=${site.version}`} />
        <script type="module" src={`${appRoot}script.js?v=${site.version}`} />
      </head>
      <body>
        <a class="skip" href="#content">
          {texts.layout.skip}
        </a>
        <header class="head">
          <a class="brand" href={root}>
            {site.logo === undefined ? (
              <img src={`${appRoot}icon.svg?v=${site.version}`} alt="" width="28" height="28" />
            ) : (
              <img src={site.logo} alt="" height="28" />
            )}
            <bdi>{site.name}</bdi>
          </a>
          {shop !== undefined && <FindForm visit={visit} />}
          {shop !== undefined && <StoreMenu visit={visit} shop={shop} />}
        </header>
        <div class="body">
          {shop !== undefined && <Menu visit={visit} attention={attention} section={section} />}
          <main id="content" tabIndex={-1} {...(isLive ? { "data-stream": `${root}live` } : {})}>
            {isLive && (
              <p class="notice bad" role="status" data-stale hidden>
                <span>{texts.live.stale}</span>
              </p>
            )}
            {shop !== undefined && visit.visitor.isReadOnly && (
              <div class="notice">
                <Icon name="store" />
                <p>{texts.layout.readOnly}</p>
              </div>
            )}
            {saysOff && <Region name="banner">{off > 0 && <OffBanner visit={visit} off={off} />}</Region>}
            {visit.flash !== undefined && <FlashBox flash={visit.flash} visit={visit} />}
            {children}
          </main>
        </div>
      </body>
    </html>
  )
}

/** The sections. On narrow screens they are folded, and the current one is named. */
const Menu = ({
  attention,
  section,
  visit: { figures, root, texts },
}: Pick<Frame, "section"> & Required<Pick<Frame, "attention">> & VisitProps) => {
  const { inbox, layout, notices } = texts
  const nameOf = (id: Section) => texts[id === "deliveries" ? "deliveryList" : id].title
  const badge = (count: number, meaning = inbox.attention(figures.figure(count), count === 1)) =>
    count > 0 && (
      <span class="badge bad">
        <span aria-hidden="true">{figures.figure(count)}</span>
        <span class="visually-hidden">{meaning}</span>
      </span>
    )
  const { inbox: troubled = 0, webhooks: off = 0 } = attention
  return (
    <nav class="menu" aria-label={layout.menu}>
      <details data-live="menu">
        <summary>
          <Icon name="menu" />
          {section === undefined ? layout.menu : nameOf(section)}
          {badge(troubled + off)}
        </summary>
        <ul>
          {sections.map(({ icon, id }) => (
            <li key={id}>
              <a href={root + (id === "overview" ? "" : id)} {...(id === section ? { "aria-current": "page" } : {})}>
                <Icon name={icon} />
                {nameOf(id)}
                {id === "inbox" ? badge(troubled) : id === "webhooks" && badge(off, notices.off(off))}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}

/** Endpoints that are switched off (§3). */
const OffBanner = ({ off, visit }: VisitProps & { readonly off: number }) => (
  <p class="banner">
    <Icon name="warning" />
    <a href={`${visit.root}webhooks`}>{visit.texts.notices.off(off)}</a>
  </p>
)

/** Finds an order, a design, an event or a delivery by its id. */
const FindForm = ({ visit: { root, texts } }: VisitProps) => (
  <search>
    <form method="get" action={`${root}find`} class="find">
      <input
        type="search"
        name="q"
        aria-label={texts.find.label}
        placeholder={texts.find.placeholder}
        maxLength={255}
      />
      <Submit look="small" text={texts.find.button} />
    </form>
  </search>
)

/** The name of the store, with links to change the store and to sign out. */
const StoreMenu = ({ shop, visit }: VisitProps & { readonly shop: NonNullable<Frame["shop"]> }) => (
  <>
    <p class="store-name">
      <Icon name="store" />
      <bdi>{shop.domain}</bdi>
      {visit.site.isStandalone && visit.visitor.shop === null && (
        <a href={`${visit.appRoot}stores`}>{visit.texts.layout.changeStore}</a>
      )}
      {visit.visitor.session?.shop != null && <a href={`${visit.root}sign-out`}>{visit.texts.signOut.title}</a>}
    </p>
    {visit.visitor.session !== null && (
      <PostForm visit={visit} evenReadOnly action={`${visit.root}sign-out`}>
        <Submit look="quiet small" text={visit.texts.layout.signOut} />
      </PostForm>
    )}
  </>
)
