import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Cleanup } from "./Cleanup.ts"

/** Starts a collector of traces that keeps none. Returns variables that export all of them to it. */
export const startCollector = async (cleanup: Cleanup) => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  cleanup.add(async () => server.close())
  const { port } = server.address() as AddressInfo
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "1",
  }
}
