import { encode } from "uqr"
import { bytesIn } from "./Cut.ts"

/** The bytes that a code may have: with them its modules are large enough to be scanned from paper. */
const most = 106

/**
 * The dark modules of a text's QR code, as a path of strokes along its rows: short enough for a page of many. `null`
 * for a text that is too long.
 */
const qrPathOf = (text: string): { readonly size: number; readonly path: string } | null => {
  if (new TextEncoder().encode(text).length > most) return null
  const { data, size } = encode(text, { ecc: "M", border: 0 })
  const rows = data.map((row, y) => {
    const runs = row
      .map((isDark) => (isDark ? "1" : "0"))
      .join("")
      .matchAll(/(0*)(1+)/g)
    return `M0 ${y}.5${Array.from(runs, ([, light = "", dark = ""]) => `m${light.length} 0h${dark.length}`).join("")}`
  })
  return { size, path: rows.join("") }
}

/** The bytes that the code of a text takes. */
export const qrBytes = (text: string): number => 260 + bytesIn(qrPathOf(text)?.path ?? "")

/** The QR code of a text, black on white in every scheme of colours, with the margin that scanners need. */
export const QrCode = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const code = qrPathOf(text)
  if (code === null) return null
  const whole = code.size + 8
  return (
    <svg role="img" aria-label={label} viewBox={`-4 -4 ${whole} ${whole}`} width="128" height="128">
      <path fill="#fff" d={`M-4-4h${whole}v${whole}h-${whole}z`} />
      <path stroke="#000" shape-rendering="crispEdges" d={code.path} />
    </svg>
  )
}
