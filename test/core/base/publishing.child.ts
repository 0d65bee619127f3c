/**
 * Publishes its own text on a message; reports whether it was first and the content of the file afterwards. With
 * `LINK_ERROR`, links fail with this code, as on a disk that has none.
 */
import fs, { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { publishFile } from "../../../core/base/index.js";

const [path = ""] = process.argv.slice(2);
const text = `${process.pid}\n`.repeat(10_000);
const code = process.env.LINK_ERROR;

if (code !== undefined) {
  fs.linkSync = () => {
    throw Object.assign(new Error(`${code}: links fail`), { code });
  };
  syncBuiltinESMExports();
}

process.once("message", () => {
  let made: boolean | string;
  try {
    made = publishFile(path, text);
  } catch (error) {
    made = String(error);
  }
  const found = typeof made === "string" ? "" : readFileSync(path, "utf8");
  process.send?.({ made, text, found }, () => process.disconnect());
});
process.send?.("ready");
