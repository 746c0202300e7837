const wire = "M6 17.500c3.500 0 3.500-7 8-7s4.500 7 8 7"

/** The app's icon, and its logo unless the options name one: a wire that goes through a design. */
export const icon = (accent: string) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28">`,
    `<rect width="28" height="28" rx="7" fill="${accent}"/>`,
    `<path d="${wire}" fill="none" stroke="#fff" stroke-width="2.400" stroke-linecap="round"/>`,
    `<circle cx="14" cy="10.500" r="3" fill="#fff"/></svg>`,
  ].join("")
