/** Why some blocks are type-checked and not run: page, a text of the block, reason. */
export const notRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/guide/telemetry.md": { posthogSink: "its project is on the network" },
  "docs/guide/included-plugins.md": { "webhook({": "its chat is on the network" },
  "docs/guide/secrets.md": { 'command: ["op"': "its password manager is not installed" },
  "docs/guide/redis.md": { "rediss://": "its server has a certificate of a company's own authority" },
};
