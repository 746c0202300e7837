/** Mounts for what an application is built with. Their types are structural: none of it is a dependency. */
export { toFastifyPlugin } from "./Fastify.ts"
export { toHonoMiddleware } from "./Hono.ts"
export { toNextHandlers } from "./Next.ts"
export { type Mounted, toNodeHandler } from "./Node.ts"
export type { WebHandler } from "./WebHandler.ts"
