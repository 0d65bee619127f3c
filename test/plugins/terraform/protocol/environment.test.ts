import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { startGuarded } from "../../../../plugins/terraform/protocol/process/provider-process.js";

test("a provider's process gets no token of a registry, and no password of a stage", async () => {
  vi.stubEnv("TF_TOKEN_registry_example_com", "of the registry");
  vi.stubEnv("ENGINE_PASSWORD", "of the stage");
  vi.stubEnv("PGPASSWORD", "of the database");
  const folder = await mkdtemp(join(tmpdir(), "provider-environment-"));
  const env = { OWN: "given" };
  const child = startGuarded({ command: "/usr/bin/env", args: [], env, cwd: tmpdir(), folder });
  const printed = child.stdout === null ? "" : await text(child.stdout);
  expect(printed).toContain("OWN=given");
  expect(printed).toContain("PGPASSWORD=of the database");
  expect(printed).not.toMatch(/TF_TOKEN|of the registry|of the stage/i);
});
