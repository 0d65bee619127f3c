/** A project with a stage that has all kinds of records, for the state commands. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { LEAST_COST } from "../../../../plugins/secrets/password.js";
import { engineProject, type Finished, type Project } from "../../../helpers/processes/engine-project.js";
import { filesIn } from "../../../helpers/processes/files-in.js";
import { testServers } from "../../../helpers/stores/test-servers.js";
import { root } from "../../../house/project.js";

export type StoreName = "fs" | "redis" | "s3";

/** Chooses its store by environment variables; DIE_BEFORE and DIE_AFTER kill it at one of its writes. */
const program = `
import { existsSync } from "node:fs";
import { engine, Resource } from "scope-engine";
import { fsStore } from "scope-engine/adapters/fs";
import { redisStore } from "scope-engine/adapters/redis";
import { s3Store } from "scope-engine/adapters/s3";

const { STORE, PREFIX, DIE_BEFORE, DIE_AFTER, BREAK, WAIT, TEST_REDIS_URL, TEST_S3_ENDPOINT } = process.env;
const stores = {
  fs: () => fsStore(),
  redis: () => redisStore({ url: TEST_REDIS_URL, prefix: PREFIX + ":" }),
  s3: () => s3Store({
    bucket: "scope-engine-tests", prefix: PREFIX, endpoint: TEST_S3_ENDPOINT,
    credentials: { accessKeyId: process.env.TEST_S3_ACCESS_KEY ?? "test", secretAccessKey: process.env.TEST_S3_SECRET_KEY ?? "testsecret" },
  }),
};
let writes = 0;
const die = () => process.kill(process.pid, "SIGKILL");
const mortal = (make) => (context) => {
  const store = make(context);
  return new Proxy(store, {
    get(_, name) {
      const member = Reflect.get(store, name, store);
      if (typeof member !== "function") return member;
      if (!["create", "append", "set", "deleteMany"].includes(name)) return member.bind(store);
      return (...args) => {
        const mine = String(++writes);
        if (mine === DIE_BEFORE) die();
        const done = member.apply(store, args);
        return mine === DIE_AFTER ? Promise.resolve(done).then(die) : done;
      };
    },
  });
};
const Thing = Resource("shop:Thing", {
  create({ id, props }) {
    if (BREAK === id) throw new Error("it is broken");
    return { name: id, ...props };
  },
  update: ({ id, props }) => ({ name: id, ...props }),
  delete() {},
});
console.log("on the way to engine()");
const durability = WAIT ? "full" : "normal";
const app = await engine("shop", { stateStore: mortal(stores[STORE ?? "fs"]()), durability });
console.log("behind engine()");
const db = await Thing("db", { key: engine.secret("hush-hush") }, { protect: true });
await engine.run("web", async (scope) => {
  await scope.set("token", engine.secret("tok-tok"));
  await Thing("page", { of: db.name }, { dependsOn: [db] });
  await Thing("logo", { text: "grüße", long: "x".repeat(200) });
});
if (WAIT) {
  console.log("waiting");
  while (!existsSync("go-on")) await new Promise((resolve) => setTimeout(resolve, 20));
}
await app.outputs({ url: "http://shop" });
await app.finalize();
`;

export interface Shop extends Project {
  readonly env: Readonly<Record<string, string>>;
  /** Runs "engine" with the project's store and password. */
  run(...args: string[]): Promise<Finished>;
  runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished>;
  /** Returns the JSON that it printed; fails if it did not exit with 0, or printed anything else. */
  json(...args: string[]): Promise<Record<string, unknown>>;
  /** FQNs of the recorded resources, without app and stage. */
  recorded(): Promise<readonly string[]>;
  /** Contents of the state's files by path, without leases. */
  files(): Promise<ReadonlyMap<string, string>>;
}

/** The same program, but it derives its key from the password at the least cost. All later commands reuse this key. */
const firstProgram = program.replace(
  'import { engine, Resource } from "scope-engine";',
  `
import { engine as builtIn } from "scope-engine";
import { Resource } from "scope-engine";
import { createEngine } from "scope-engine/core";
import { cliArgs } from "scope-engine/plugins/cli-args";
import { envOptions } from "scope-engine/plugins/env-options";
import { secrets } from "scope-engine/plugins/secrets";

const plugins = [cliArgs(), envOptions(), secrets({ cost: ${LEAST_COST} })];
const engine = Object.assign(createEngine({ plugins }), { secret: builtIn.secret });`,
);

/**
 * Creates a shop that was deployed once.
 *
 * @param isOwn true: deploys in its own folder. False: with its state in files, the shop gets a copy of an earlier
 * deployment; the engine then tries its store once more
 */
export async function shop(store: StoreName = "fs", isOwn = store !== "fs"): Promise<Shop> {
  const project = await engineProject({ "engine.run.mjs": program });
  // Only the package's own folder has the drivers of these stores installed.
  if (store !== "fs") await link(root, join(project.folder, "node_modules/scope-engine"));
  const servers = Object.entries(testServers(process.env)).flatMap(([key, value]) => (value ? [[key, value]] : []));
  const env = { ...Object.fromEntries(servers), STORE: store, PREFIX: `cli-${randomUUID()}`, ENGINE_PASSWORD: "pw" };
  const runWith = (more: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> =>
    project.engineWith({ ...env, ...more }, ...args);
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await runWith({}, ...args, "--json");
    if (code !== 0) throw new Error(`It ended with ${code}:\n${stderr}`);
    return JSON.parse(stdout);
  };
  const made = {
    ...project,
    env,
    runWith,
    run: (...args: string[]) => runWith({}, ...args),
    json,
    async files() {
      // Leases may change at any time while another process runs.
      const names = (await filesIn(project.folder, ".engine")).filter((name) => !name.includes("/lease/"));
      return new Map(
        await Promise.all(names.map(async (name) => [name, await project.read(join(".engine", name))] as const)),
      );
    },
    async recorded() {
      const { resources } = await json("state", "list");
      return (Array.isArray(resources) ? resources : []).map(({ fqn }) => String(fqn).replace("shop/tester/", ""));
    },
  };
  if (!isOwn && deployed !== undefined) await putBack(deployed, project.folder);
  else await deploy(made);
  if (store === "fs") deployed ??= await contentsOf(project.folder, STATE);
  return made;
}

const STATE = ".engine";
/** Files of the first deployment, which all later shops of this process with their state in files share. */
let deployed: readonly FileContent[] | undefined;

async function deploy({ folder, write, run }: Shop): Promise<void> {
  await write("first.mjs", firstProgram);
  const { code, stderr } = await run("up", "first.mjs");
  await rm(join(folder, "first.mjs"));
  if (code !== 0) throw new Error(`It was not deployed:\n${stderr}`);
}

interface FileContent {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

async function contentsOf(folder: string, part: string): Promise<readonly FileContent[]> {
  const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (path) => ({
      path: relative(folder, path),
      bytes: await readFile(path),
      mode: (await stat(path)).mode & 0o777,
    })),
  );
}

async function putBack(files: readonly FileContent[], folder: string): Promise<void> {
  for (const { path, bytes, mode } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes, { mode });
  }
}

async function link(target: string, path: string): Promise<void> {
  await rm(path);
  await symlink(target, path, "dir");
}
