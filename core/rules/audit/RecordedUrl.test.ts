import { describe, expect, it } from "vitest"
import { recordedUrl } from "./RecordedUrl.ts"

describe("A URL in an entry of a change", () => {
  it.each([
    ["https://hooks.example.com/", "https://hooks.example.com/"],
    ["https://hooks.example.com:8443/a/b;v=1?", "https://hooks.example.com:8443/a/b;v=1"],
    ["https://x.example/?key=secret", "https://x.example/?key=…"],
    ["https://x.example/?key=secret=&to=me&&empty=", "https://x.example/?key=…&to=…&…&empty=…"],
    ["https://x.example/?secret", "https://x.example/?…"],
    ["https://x.example/?k%65y=%73ecret", "https://x.example/?k%65y=…"],
    ["https://name:secret@x.example/a#secret", "https://x.example/a"],
    ["secret", "…"],
  ])("MUST have its origin, its path and the names in its query alone (D59): %s (D59)", (url, recorded) => {
    expect(recordedUrl(url)).toBe(recorded)
  })
})
