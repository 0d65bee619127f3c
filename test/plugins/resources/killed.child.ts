/** Runs a program, and kills itself before, between or after the changes in its folder. */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { engine } from "../../../plugins/index.ts";
import { programs } from "./killed-programs.ts";

const [rootDir = "", name = "", moment = ""] = process.argv.slice(2);
let changes = 0;

/** Moment 0 is before the first change. */
function killAt(now: number): void {
  if (now === Number(moment)) process.kill(process.pid, "SIGKILL");
}

const changing: readonly string[] = ["chmod", "copyFile", "link", "mkdir", "rename", "rmdir", "unlink", "writeFile"];

for (const change of changing) {
  const original: (...args: unknown[]) => Promise<unknown> = Reflect.get(fs, change);
  Reflect.set(fs, change, async (...args: unknown[]) => {
    if (String(args[0]).includes(".engine")) return original(...args);
    killAt(changes);
    try {
      return await original(...args);
    } finally {
      killAt(++changes);
    }
  });
}
syncBuiltinESMExports();

const app = await engine("t", { stage: "s", rootDir, argv: [], env: {}, quiet: true });
await programs[name]?.();
await app.finalize();
