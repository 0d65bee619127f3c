/** A program for fs-faults.test.ts: creates a key, reports before or after the link, and waits there to be killed. */
import { link } from "node:fs/promises";
import { thisDisk } from "../../adapters/fs/disk.js";
import { openFolder } from "../../adapters/fs/open.js";

const [root = "", edge] = process.argv.slice(2);

async function wait(): Promise<never> {
  process.stdout.write("here\n");
  return new Promise(() => setInterval(() => {}, 60_000));
}

const store = openFolder(
  root,
  {},
  {
    ...thisDisk,
    async link(existing, path) {
      if (edge === "before") await wait();
      await link(existing, path);
      await wait();
    },
  },
);
await store.create("a/key", "x".repeat(1_000_000));
