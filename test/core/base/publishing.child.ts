/** Publishes its own text on a message; reports whether it was first and the content of the file afterwards. */
import { readFileSync } from "node:fs";
import { publishFile } from "../../../core/base/index.js";

const [path = ""] = process.argv.slice(2);
const text = `${process.pid}\n`.repeat(10_000);

process.once("message", () => {
  const made = publishFile(path, text);
  process.send?.({ made, text, found: readFileSync(path, "utf8") }, () => process.disconnect());
});
process.send?.("ready");
