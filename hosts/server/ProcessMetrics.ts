/** Metrics of the process, with the names that Prometheus' client for Node gives them (hosts/cli/OPERATING.md). */
import { readdirSync, readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import process from "node:process"
import { Effect, Metric, type Scope } from "effect"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const gauge = (name: string, description: string, attributes?: Readonly<Record<string, string>>) =>
  Metric.gauge(name, { description, attributes })

const cpuSeconds = counter("process_cpu_seconds_total", "CPU time of the process")
const cpuUserSeconds = counter("process_cpu_user_seconds_total", "CPU time of the process in its own code")
const cpuSystemSeconds = counter("process_cpu_system_seconds_total", "CPU time of the process in the kernel")
const startTime = gauge("process_start_time_seconds", "Start of the process, in seconds since 1970")
const residentBytes = gauge("process_resident_memory_bytes", "Memory of the process")
const openFiles = gauge("process_open_fds", "Open file descriptors, sockets among them")
const mostFiles = gauge("process_max_fds", "The most file descriptors that the process may open")
const heapUsed = gauge("nodejs_heap_size_used_bytes", "Used memory of the heap")
const heapTotal = gauge("nodejs_heap_size_total_bytes", "Memory of the heap")
const external = gauge("nodejs_external_memory_bytes", "Memory of buffers outside of the heap")
const lagMean = gauge("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop since the last scrape")
const lagP99 = gauge("nodejs_eventloop_lag_p99_seconds", "99th percentile of that delay")
const lagMax = gauge("nodejs_eventloop_lag_max_seconds", "Maximum of that delay")
const nodeVersion = gauge("nodejs_version_info", "The version of Node", { version: process.version })

/** How often the delay of the event loop is sampled, in milliseconds. Each sample includes it. */
const resolution = 10

/** Linux shows the descriptors of a process as files; other systems don't. */
const descriptors = () => {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]
    return { open: readdirSync("/proc/self/fd").length, most: limit === undefined ? undefined : Number(limit) }
  } catch {
    return undefined
  }
}

/** Makes an effect that reads the metrics of the process into the current registry, which must be empty. */
export const makeProcessMetrics: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.gen(function* () {
  const delay = monitorEventLoopDelay({ resolution })
  yield* Effect.acquireRelease(
    Effect.sync(() => delay.enable()),
    () => Effect.sync(() => delay.disable()),
  )
  const lag = (nanoseconds: number) => (delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolution / 1e3))
  return Effect.gen(function* () {
    const [{ system, user }, memory, files] = [process.cpuUsage(), process.memoryUsage(), descriptors()]
    yield* Metric.update(cpuSeconds, (user + system) / 1e6)
    yield* Metric.update(cpuUserSeconds, user / 1e6)
    yield* Metric.update(cpuSystemSeconds, system / 1e6)
    yield* Metric.update(startTime, performance.timeOrigin / 1e3)
    yield* Metric.update(residentBytes, memory.rss)
    yield* Metric.update(heapUsed, memory.heapUsed)
    yield* Metric.update(heapTotal, memory.heapTotal)
    yield* Metric.update(external, memory.external)
    if (files !== undefined) yield* Metric.update(openFiles, files.open)
    if (files?.most !== undefined) yield* Metric.update(mostFiles, files.most)
    yield* Metric.update(lagMean, lag(delay.mean))
    yield* Metric.update(lagP99, lag(delay.percentile(99)))
    yield* Metric.update(lagMax, lag(delay.max))
    delay.reset()
    const resources = Map.groupBy(process.getActiveResourcesInfo(), (type) => type)
    for (const [type, { length }] of resources) {
      yield* Metric.update(
        gauge("nodejs_active_resources", "What keeps the event loop alive, by type", { type }),
        length,
      )
    }
    yield* Metric.update(nodeVersion, 1)
  })
})
