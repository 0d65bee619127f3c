import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { roots } from "../../helpers/processes/processes.ts";

const newRoot = roots();
const { open } = testApps({ plugins: [processes()] });
const SECRET = "correct-horse-battery";
const hiding = definePlugin({
  name: "hiding",
  apply: ({ hooks }) => hooks.redact.tap("hiding", ({ text }) => ({ text: text.replaceAll(SECRET, "***") })),
});

describe("the log of exec", () => {
  it("has the command, both streams and the end of the last run, and is for its owner alone", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir });
    await app.exec("x", "echo first");
    await app.exec("x", ["sh", "-c", "echo out; printf half >&2; exit 2"]);
    const path = join(rootDir, ".engine/logs/shop/dev/x.log");
    const text = await readFile(path, "utf8");
    expect(text.split("\n").sort()).toEqual([
      "",
      "$ sh -c echo out; printf half >&2; exit 2",
      "[exit code 2]",
      "half",
      "out",
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("that cannot be written is reported, and the command runs anyway", async () => {
    const rootDir = await newRoot();
    const heard = recorder();
    await mkdir(join(rootDir, ".engine"));
    await writeFile(join(rootDir, ".engine/logs"), "a file in its place");
    const app = await open({ rootDir, plugins: [heard.plugin] });
    expect((await app.exec("x", "echo hi")).stdout).toBe("hi\n");
    expect(heard.warnings()).toEqual(["LOG_FAILED"]);
  });

  it("shows no secret, be it in the command or split between two pieces of output", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir, plugins: [hiding] });
    const slowly = `printf correct-; sleep 0.2; printf 'horse-battery and correct-horse-ba'; sleep 0.2; echo ttery >&2; echo ttery; : ${SECRET}`;
    const { stdout } = await app.exec("x", slowly);
    expect(stdout).toBe(`${SECRET} and ${SECRET}\n`);
    const text = await readFile(join(rootDir, ".engine/logs/shop/dev/x.log"), "utf8");
    expect(text).toContain("*** and ***\n");
    expect(text).not.toContain(SECRET);
  });

  it("an error shows no secret of the command", async () => {
    const app = await open({ rootDir: await newRoot(), plugins: [hiding] });
    const error = await rejection(app.exec("x", ["no-such-program", SECRET]));
    expect(String(error)).toContain("no-such-program ***");
    await rejection(app.finalize());
  });

  it("a scope that is called like a log is not an obstacle", async () => {
    const rootDir = await newRoot();
    const app = await open({ rootDir });
    await app.exec("x", "true");
    const { childScope } = await import("../../../core/scope/child.js");
    const child = await childScope(app, "x.log", {});
    await child.exec("y", "true");
    expect((await stat(join(rootDir, ".engine/logs/shop/dev/x%2Elog/y.log"))).isFile()).toBe(true);
  });
});
