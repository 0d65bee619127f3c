/** Rewrites a file in place, without an end: all of it is one letter, then another. A second file counts the writes. */
import { ftruncateSync, openSync, writeSync } from "node:fs";

const [path = "", size = "0"] = process.argv.slice(2);
const [file, progress] = [path, `${path}.progress`].map((one) => openSync(one, "r+")) as [number, number];
let writes = 0;

function write(letter: string): void {
  const part = Buffer.alloc(64 * 1024, letter);
  for (let done = 0; done < Number(size); done += part.length) {
    writeSync(file, part, 0, part.length, done);
    writeSync(progress, String(++writes), 0);
  }
  process.send?.("written");
  setImmediate(() => write(letter === "a" ? "b" : "a"));
}

ftruncateSync(file, Number(size));
process.once("disconnect", () => process.exit());
write("a");
