/**
 * A program for fs-contention.test.ts: one of several writers of a folder; prints the writes that the store accepted.
 */
import { fsStoreAt } from "../../adapters/fs/index.js";
import { isGrowing } from "../../core/contract/index.js";

const [root = "", job, count] = process.argv.slice(2);
const store = fsStoreAt(root);

for (let index = 0; index < Number(count); index++) {
  if (job === "create") {
    const won = await store.create(`key/${index}`, `by ${process.pid}`, { sync: false });
    if (won) process.stdout.write(`key/${index}\n`);
  } else if (isGrowing(store)) {
    let lines = 0;
    while (await store.append(`journal/${index}`, `line ${lines}\n`, `fence/${index}`, { sync: false })) lines++;
    process.stdout.write(`${lines}\n`);
  }
}
