import { Copyable } from "../Copyable.tsx"
import { curlWith } from "../Curl.ts"
import { useTexts } from "../CurrentLanguage.ts"

/** The command that reads an object through the REST API at `url`, by its path in it: `/orders/1001`. */
export const ApiCommand = ({ path, url }: { readonly url: string; readonly path: string }) => {
  const { apiHint, command } = useTexts().parts
  return (
    <>
      <Copyable label={command} text={curlWith("cmz_…", url + path)} />
      <p class="hint">{apiHint}</p>
    </>
  )
}
