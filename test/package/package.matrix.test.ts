import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typeCheck } from "../helpers/checks/type-check.ts";
import { read, root } from "../house/project.ts";
import { PEERS } from "../servers/packed.ts";
import { type Consumer, copyOfInstalled } from "./consumer.ts";
import { describePacked } from "./given-packed.ts";
import { loadable } from "./loadable.ts";
import { oneFile } from "./one-file.ts";

const strictest = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  },
};

/** The entries that use types of a package that is not installed here. */
const peerOf: Readonly<Record<string, string>> = {
  "adapters/s3/index.ts": "@aws-sdk/client-s3",
  "plugins/open-telemetry/index.ts": "@opentelemetry/api",
};
const typed = loadable.filter(({ source }) => !(source in peerOf)).map(({ specifier }) => specifier);
const typedByPeers = loadable.filter(({ source }) => source in peerOf);

/** A first use of each store that needs a package of its own. */
const uses = [
  ["postgres", 'postgresStoreAt({ connectionString: "postgres://127.0.0.1:1/none" })', "pg"],
  ["redis", 'redisStoreAt({ url: "redis://127.0.0.1:1" })', "@keyv/redis"],
  ["s3", 's3StoreAt({ bucket: "state" })', "@aws-sdk/client-s3"],
] as const;

describePacked("the installed package", ({ packages }) => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = await copyOfInstalled(packages, PEERS);
  });
  afterAll(() => consumer?.remove());

  test("names the package that traces need, if it is missing", async () => {
    const program = `
      import { engine, memoryStore } from "scope-engine";
      import { openTelemetry } from "scope-engine/plugins/open-telemetry";
      await engine("traces", { stateStore: memoryStore(), plugins: [openTelemetry()] });`;
    await consumer.write("traces.mjs", program);
    const { exitCode, stderr } = await consumer.node("traces.mjs");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/npm install @opentelemetry\/api.*PACKAGE_MISSING/s);
  });

  test.each(uses)(
    "says how to install the driver of a store in %s, when it is first used",
    async (name, made, driver) => {
      const use = `${made}.get("key").catch(({ code, message }) => console.log(code, message))`;
      await consumer.write(
        "store.mjs",
        `import { ${name}StoreAt } from "scope-engine/adapters/${name}";\nawait ${use};`,
      );
      const { exitCode, stdout, stderr } = await consumer.node("store.mjs");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^PACKAGE_MISSING .*npm install ${driver}$`, "m"));
    },
  );

  test("type-checks in the strictest project, declaration files included", { timeout: 120_000 }, async () => {
    const imports = typed.map((name, index) => `import * as entry${index} from "${name}";`).join("\n");
    const used = `export const entries = [${typed.map((_, index) => `entry${index}`).join(", ")}];`;
    const wrong = '// @ts-expect-error A stage is a string.\nawait engine("y", { stage: 1 });';
    await consumer.write(
      "app.ts",
      `${imports}${oneFile}const path: string = file.path;\n${wrong}\n${used}\nexport { path };`,
    );
    await consumer.write("tsconfig.json", JSON.stringify({ ...strictest, files: ["app.ts"] }));
    expect(typeCheck("tsconfig.json", consumer.folder)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test.each(typedByPeers)("names the package that the types of $specifier need", async ({ specifier, source }) => {
    await consumer.write("peer.ts", `export * as entry from "${specifier}";`);
    await consumer.write("peer.json", JSON.stringify({ ...strictest, files: ["peer.ts"] }));
    const { stdout } = typeCheck("peer.json", consumer.folder);
    const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
    expect(errors).not.toEqual([]);
    for (const error of errors) expect(error).toContain(`Cannot find module '${peerOf[source]}'`);
  });

  test("type-checks without the types of Node, as in a project for another runtime", async () => {
    const imports = typed.map((name, index) => `export * as entry${index} from "${name}";`).join("\n");
    await consumer.write("elsewhere.ts", imports);
    const { typeRoots: _, ...options } = strictest.compilerOptions;
    const compilerOptions = { ...options, types: [], lib: ["ES2023", "ESNext.Disposable", "DOM"] };
    await consumer.write("elsewhere.json", JSON.stringify({ compilerOptions, files: ["elsewhere.ts"] }));
    expect(typeCheck("elsewhere.json", consumer.folder)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("comes with at most twelve packages and 8 MB, none of which runs anything to be installed", async ({ task }) => {
    const size = await consumer.installedSize();
    const packages = await consumer.packages();
    task.meta.note = `installed: ${(size / 1e6).toFixed(2)} MB in ${packages.length} packages`;
    expect(size).toBeLessThanOrEqual(8e6);
    // The pages say so; test/docs/figures.test.ts compares them with this test.
    expect(read("docs/pages/home.md")).toContain(`Five packages, ${Math.round(size / 1e6)} MB`);
    expect(packages.map(({ name }) => name).sort()).toEqual([
      "@keyv/serialize",
      "keyv",
      "mitt",
      "scope-engine",
      "tapable",
    ]);
    const installing = ["preinstall", "install", "postinstall", "prepare"];
    expect(packages.filter(({ scripts = {} }) => installing.some((name) => name in scripts))).toEqual([]);
  });

  test("names the package to install if telemetry has a project and no client for it, and sends nothing", async () => {
    // It waits for the modules that it loads at its end, however long a busy machine takes.
    const patience = 'globalThis[Symbol.for("scope-engine/telemetry-patience@1")] = { milliseconds: -60_000 };';
    const program = 'const app = await engine("told"); await app.finalize();';
    // The package uses it when it is loaded.
    await consumer.write("told.mjs", `${patience}\nconst { engine } = await import("scope-engine");\n${program}`);
    const env = { ENGINE_TELEMETRY_KEY: "phc_key", XDG_CONFIG_HOME: consumer.folder, PATH: process.env.PATH };
    const { exitCode, stderr } = await consumer.nodeWith(env, "told.mjs");
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      "Telemetry was not sent: The package posthog-node is needed and is not installed. Install it: npm install posthog-node",
    );
  });
});
