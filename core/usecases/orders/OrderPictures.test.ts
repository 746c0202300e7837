import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { FileNotRead, FileReader } from "../../ports/FileReader.ts"
import { HostLookup } from "../../ports/HostLookup.ts"
import { makeOpenFile } from "./OrderPictures.ts"

const mebibyte = new Uint8Array(1024 ** 2)

/** Files by their paths, and the paths that were asked for. */
const outside = (files: (path: string) => Stream.Stream<Uint8Array, FileNotRead>) => {
  const asked: Array<string> = []
  const read = ({ url }: { readonly url: string }) => {
    asked.push(new URL(url).pathname)
    return files(new URL(url).pathname)
  }
  return { asked, read }
}

/** Opens files of one download; each is read to its end, which gives its size, or its failure. */
const opened = Effect.fnUntraced(function* ({ read }: ReturnType<typeof outside>) {
  const openFile = yield* makeOpenFile("acme").pipe(
    Effect.provideService(FileReader, { read }),
    Effect.provideService(HostLookup, { lookup: () => Effect.succeed(["93.184.216.34"]) }),
  )
  return (url: string) =>
    Effect.gen(function* () {
      const next = yield* openFile(url)
      let size = 0
      for (let chunks = yield* next; chunks !== null; chunks = yield* next) size += chunks[0]?.length ?? 0
      return size
    }).pipe(
      Effect.scoped,
      Effect.catchTag("FileNotRead", ({ reason }) => Effect.succeed(reason)),
    )
})

const picture = (path: string) => `https://images.example.com/${path}`

const mebibytes = (count: number) => Stream.take(Stream.forever(Stream.make(mebibyte)), count)

describe("The pictures of an order", () => {
  it.effect("MUST be read up to 50 MiB each, and to 500 MiB together (D69)", () =>
    Effect.gen(function* () {
      const size = yield* opened(outside((path) => mebibytes(Number(path.slice(1)))))
      expect(yield* size(picture("50"))).toBe(50 * 1024 ** 2)
      expect(yield* size(picture("1000"))).toBe("large")
      for (let left = 8; left > 0; left--) expect(yield* size(picture("49"))).toBe(49 * 1024 ** 2)
      expect(yield* size(picture("49"))).toBe("full")
    }),
  )

  it.effect("MUST be given up after 8 seconds without a byte, or 30 in all (D69)", () =>
    Effect.gen(function* () {
      const slow = Stream.tap(Stream.forever(Stream.make(mebibyte)), () => Effect.sleep("7 seconds"))
      for (const [file, after] of [
        [Stream.never, "8 seconds"],
        [slow, "30 seconds"],
      ] as const) {
        const size = yield* opened(outside(() => file))
        const reading = yield* Effect.forkChild(size(picture("a")))
        yield* TestClock.adjust(after)
        expect(yield* Fiber.join(reading)).toBe("late")
      }
    }),
  )

  it.effect("MUST NOT be asked for at a host that did not answer, nor at one that is refused (D36, D69)", () =>
    Effect.gen(function* () {
      const silent = outside((path) =>
        Stream.fail(new FileNotRead(path === "/gone" ? { reason: "status", statusCode: 404 } : { reason: "connect" })),
      )
      const size = yield* opened(silent)
      const ends = yield* Effect.forEach(["gone", "a", "b"], (path) => size(picture(path)))
      expect([ends, silent.asked]).toEqual([
        ["status", "connect", "connect"],
        ["/gone", "/a"],
      ])
      expect(yield* size("https://10.0.0.1/a")).toBe("refused")
      expect(yield* size("no address")).toBe("refused")
      expect(silent.asked).toHaveLength(2)
    }),
  )
})
