/** The paths of the icons. They are part of the page, so that no request is needed. */
const paths = {
  overview: "M3 12h4l2.5-7 5 14L17 12h4",
  order: "M4 7.500 12 3.500l8 4v9l-8 4-8-4zM4 7.500l8 4 8-4M12 11.500v9",
  customizer: "M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h9M17 17h3M15 15v4",
  token: "M14.5 9.5a4.5 4.5 0 1 0-3.2 4.3L13 15.5h2v2h2v2h3.5v-3L14.3 10.6M8.6 9.6h0",
  webhook:
    "M9.5 9.2a3.6 3.6 0 1 1 4.9-.9l3 5.3M6.8 13a3.6 3.6 0 1 0 3 4.9h6.1M14.6 15.1a3.6 3.6 0 1 1 .6 4.7M11.4 8.6l-3 5.3",
  events:
    "M8 4.5c-2 0-2.5 1-2.5 2.5v2.5c0 1.300-.7 2.300-2 2.500 1.300.2 2 1.200 2 2.500v2.500c0 1.500.5 2.500 2.500 2.500" +
    "M16 4.500c2 0 2.500 1 2.500 2.500v2.500c0 1.300.7 2.300 2 2.500-1.300.2-2 1.200-2 2.500v2.500" +
    "c0 1.500-.5 2.500-2.500 2.500",
  store:
    "M4 9.5 5.500 4.500h13L20 9.500M4 9.500v10h16v-10M4 9.500c0 3 5.300 3 5.300 0 0 3 5.400 3 5.400 0 " +
    "0 3 5.300 3 5.300 0M10 19.500v-4.500h4v4.500",
  deliveries: "M4 5.500h16M4 12h10M4 18.500h7M16 16l2.500 2.500L22 14.500",
  find: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13M15.300 15.300 20 20",
  warning: "M12 4 2.800 19.500h18.400L12 4M12 10v4.500M12 17v.1",
  check: "M5 12.500l4.500 4.500L19 7.500",
  clock: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17M12 7.500V12l3 2",
} as const

export const Icon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
