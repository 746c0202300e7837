import starlight from "@astrojs/starlight"
import { defineConfig } from "astro/config"
import navigation from "./src/navigation.json" with { type: "json" }

export default defineConfig({
  // No network but for the packages.
  telemetry: false,
  // Texts stay as they are written.
  markdown: { smartypants: false },
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: "Designwire",
      sidebar: navigation,
      customCss: ["./src/styles/site.css"],
      components: { EditLink: "./src/components/AsMarkdown.astro" },
      credits: false,
      pagination: false,
    }),
  ],
})
