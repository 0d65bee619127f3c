/** Publishes a text of its own as soon as it is told to, and tells whether it was the first, and what is there then. */
import { readFileSync } from "node:fs";
import { publishFile } from "../../../core/base/index.js";

const [path = ""] = process.argv.slice(2);
const text = `${process.pid}\n`.repeat(10_000);

process.once("message", () => {
  const made = publishFile(path, text);
  process.send?.({ made, text, found: readFileSync(path, "utf8") }, () => process.disconnect());
});
process.send?.("ready");
