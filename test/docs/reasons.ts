/** Why some blocks are type-checked and not run: page, a text of the block, reason. */
export const notRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/guide/compared-in-ten-minutes.md": {
    "demo:User": "the shell block behind it runs it, and ends it in its midst",
  },
  "docs/guide/providers.md": {
    'from "./providers/postgresql.js"': "its provider is a program of others",
    "export interface RoleProps": "it is what engine add writes",
  },
  "docs/guide/telemetry.md": { posthogSink: "its project is on the network" },
  "docs/guide/included-plugins.md": { "webhook({": "its chat is on the network" },
  "docs/guide/redis.md": { "rediss://": "its server has a certificate of a company's own authority" },
};
