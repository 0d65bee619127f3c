/** Makes docs/terminal.svg from a run of docs/examples/shop: `npm run recording`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../house/project.ts";
import { installPackage } from "../package/consumer.ts";
import { draw, makeRecording } from "./make.ts";

const { folder, remove } = await installPackage();
try {
  const recording = await makeRecording(join(folder, "node_modules"));
  await writeFile(join(root, "docs/terminal.svg"), draw(recording));
} finally {
  await remove();
}
