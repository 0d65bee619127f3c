/** Builds the Go provider from Debian's packages, once for a test file. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import type { ProviderLaunch } from "../../../../plugins/terraform/protocol/process/index.js";
import { cache } from "../../../helpers/processes/tools.ts";

/** Environment of a build that uses only Debian's packages. */
const BUILD = { GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOPROXY: "off", CGO_ENABLED: "0" };

/** Called once in a test file. Returns a function for launch settings with more variables. */
export function builtInGo(): (env?: Readonly<Record<string, string>>) => Omit<ProviderLaunch, "name"> {
  let folder = "";
  let command = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "go-fixture-"));
    command = join(folder, "terraform-provider-go");
    const source = fileURLToPath(new URL("main.go", import.meta.url));
    const env = { ...process.env, ...BUILD, GOCACHE: join(cache, "go") };
    await promisify(execFile)("go", ["build", "-o", command, source], { cwd: folder, env });
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (env = {}) => ({ command, folder, env: { ...env, TMPDIR: folder }, log: () => {} });
}
