/** Mounts for web frameworks. Their types are structural, so no framework is a dependency. */
export { toFastifyPlugin } from "./Fastify.ts"
export { toHonoMiddleware } from "./Hono.ts"
export { toNextHandlers } from "./Next.ts"
export { type Mounted, toNodeHandler } from "./Node.ts"
export type { WebHandler } from "./WebHandler.ts"
