import { satteri } from "@astrojs/markdown-satteri"
import starlight from "@astrojs/starlight"
import { defineConfig, sharpImageService } from "astro/config"
import navigation from "./src/navigation.json" with { type: "json" }

/** Opens the tab that a link leads to. Without scripts the link leads to its label. */
const openTab = `
const openTab = () => {
  const tab = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("summary")?.parentElement
  if (tab) tab.open = true
}
addEventListener("hashchange", openTab)
addEventListener("DOMContentLoaded", openTab)`

export default defineConfig({
  // Texts stay as they are written.
  markdown: { processor: satteri({ features: { smartPunctuation: false } }) },
  // Screenshots stay sharp enough to read, and light.
  image: { service: sharpImageService({ webp: { quality: 40, effort: 6 } }) },
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: "Designwire",
      logo: { src: "./src/assets/logo.svg", alt: "" },
      sidebar: navigation,
      customCss: ["./src/styles/site.css"],
      components: { EditLink: "./src/components/AsMarkdown.astro" },
      // Every block has a button that copies it. What scrolled sideways could not be read with a keyboard.
      expressiveCode: { defaultProps: { frame: "none", wrap: true } },
      head: [{ tag: "script", content: openTab }],
      credits: false,
      pagination: false,
    }),
  ],
})
