import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { compiledProgram } from "../../../helpers/processes/compiled-program.ts";
import { until } from "../../../helpers/time/until.ts";
import { describeUnless, given } from "../../../servers/given.ts";
import { type Workshop, workshop } from "./workshop.ts";

const lacks = await given("compiled");
let shop: Workshop | undefined;
afterEach(() => shop?.close());

function start({ lockFile, name }: Workshop, root: string) {
  const file = compiledProgram(new URL("resolve.child.ts", import.meta.url));
  const child = spawn(process.execPath, [file, lockFile, name, root], { stdio: ["ignore", "pipe", "pipe"] });
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { child, printed: printed.then(([out, err]) => ({ out: out.trim(), err, code: child.exitCode })) };
}

describeUnless(lacks, "several processes", () => {
  test("that need the same provider at once all get it, whole", async () => {
    shop = await workshop();
    const { executable } = await shop.add();
    const root = join(shop.folder, "other");
    const all = await Promise.all([1, 2].map(() => start(shop as Workshop, root).printed));
    const path = executable.replace(shop.root, root);
    expect(all).toEqual(all.map(() => ({ out: path, err: "", code: 0 })));
    expect(await readdir(join(root, ".incoming"))).toEqual([]);
  });

  test("of which one is killed in mid-download leave nothing once the next has come", async () => {
    shop = await workshop();
    const { executable } = await shop.add();
    const root = join(shop.folder, "other");
    const before = shop.registry.paths.filter((path) => path.endsWith(".zip")).length;
    shop.registry.fault = (path, response) =>
      path.endsWith(".zip") && response.writeHead(200, { "content-length": "1000" }).write("PK");
    const killed = start(shop, root);
    const { registry } = shop;
    await until(() => registry.paths.filter((path) => path.endsWith(".zip")).length > before);
    killed.child.kill("SIGKILL");
    await killed.printed;
    expect(await readdir(join(root, ".incoming"))).toHaveLength(1);
    // Has no owner: its process was killed before it wrote its owner, or it is of another machine.
    const old = join(root, ".incoming/old");
    await mkdir(old);
    await utimes(old, 1e9, 1e9);
    shop.registry.fault = undefined;
    expect(await start(shop, root).printed).toEqual({ out: executable.replace(shop.root, root), err: "", code: 0 });
    expect(await readdir(join(root, ".incoming"))).toEqual([]);
  });
});
