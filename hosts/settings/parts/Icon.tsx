/** The paths of the icons. They are part of the page, so that no request is needed. */
const paths = {
  overview: "M3 12h4l2.5-7 5 14L17 12h4",
  order: "M4 7.5 12 3.5l8 4v9l-8 4-8-4zM4 7.5l8 4 8-4M12 11.5v9",
  inbox: "M4 13.5h4.5L10 16h4l1.5-2.5H20M4 13.5 6.5 5.5h11l2.5 8v5H4z",
  production: "M3.5 20V9.5l5.5 3.5V9.5l5.5 3.5V4.5h6V20zM7.5 16.5h2M12.5 16.5h2",
  customizer: "M4 7h16M4 12h16M4 17h16M15 5v4M9 10v4M15 15v4",
  token: "M14.5 9.5a4.5 4.5 0 1 0-3.2 4.3L13 15.5h2v2h2v2h3.5v-3L14.3 10.6M8.6 9.6h0",
  webhook:
    "M9.5 9.2a3.6 3.6 0 1 1 4.9-.9l3 5.3M6.8 13a3.6 3.6 0 1 0 3 4.9h6.1M14.6 15.1a3.6 3.6 0 1 1 .6 4.7M11.4 8.6l-3 5.3",
  events:
    "M8 4.5c-2 0-2.5 1-2.5 2.5v2.5c0 1.3-.7 2.3-2 2.5 1.3.2 2 1.2 2 2.5v2.5c0 1.5.5 2.5 2.5 2.5" +
    "M16 4.5c2 0 2.5 1 2.5 2.5v2.5c0 1.3.7 2.3 2 2.5-1.3.2-2 1.2-2 2.5v2.5" +
    "c0 1.5-.5 2.5-2.5 2.5",
  store:
    "M4 9.5 5.5 4.5h13L20 9.5M4 9.5v10h16v-10M4 9.5c0 3 5.3 3 5.3 0 0 3 5.4 3 5.4 0 " +
    "0 3 5.3 3 5.3 0M10 19.5v-4.5h4v4.5",
  deliveries: "M4 5.5h16M4 12h10M4 18.5h7M16 16l2.5 2.5L22 14.5",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.3 15.3 20 20",
  warning: "M12 4 2.8 19.5h18.4L12 4M12 10v4.5M12 17v.1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 7.5V12l3 2",
} as const

export const Icon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
