import { describe, expect, it } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { type Recorder, recorder, testApps } from "../../helpers/apps/apps.ts";
import { node, roots } from "../../helpers/processes/processes.ts";
import { until } from "../../helpers/time/until.ts";

const SECRET = "hunter2\nof two lines";
const newRoot = roots();
const hiding = definePlugin({
  name: "hiding",
  apply: ({ hooks }) => hooks.redact.tap("hiding", ({ text }) => ({ text: text.replaceAll(SECRET, "***") })),
});
const { open } = testApps({ plugins: [processes(), hiding] });

const linesIn = ({ events }: Recorder): readonly string[] =>
  events.flatMap((event) => (event.type === "process:log" ? [`${event.fqn}: ${event.message}`] : []));
const waits = "setInterval(() => {}, 1000);";

describe("the event process:log", () => {
  it("tells what a command writes, line by line and without secrets, before its end", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    await app.exec("x", ["printf", `one\n\nhas ${SECRET} in it\nlast`]);
    expect(linesIn(heard)).toEqual(["one", "", "has *** in it", "last"].map((line) => `shop/dev/x: ${line}`));
    expect(heard.events.findLast(({ type }) => type.startsWith("process:"))?.type).toBe("process:exited");
  });

  it("tells what a process writes while it runs, without secrets", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    await app.spawn("web", node(`console.log(${JSON.stringify(`is ${SECRET}`)}); ${waits}`));
    await until(() => linesIn(heard).length > 0);
    expect(linesIn(heard)).toEqual(["shop/dev/web: is ***"]);
    await app.finalize();
  });

  it("reports the lines that a process writes when it is asked to end", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    const bye = `process.on("SIGTERM", () => { console.log("bye"); process.exit(); }); console.log("hello"); ${waits}`;
    await app.spawn("web", { ...node(bye), extract: (line: string) => line });
    await app.finalize();
    expect(linesIn(heard)).toEqual(["shop/dev/web: hello", "shop/dev/web: bye"]);
  });

  it("tells so many lines of one that floods, and that there is more", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    await app.exec("x", "yes 0123456789 | head -c 2000000");
    await app.spawn("web", node(`for (let n = 0; n < 1e5; n++) console.log("0123456789"); ${waits}`));
    await until(
      () => linesIn(heard).at(-1),
      (line) => line === "shop/dev/web: [the rest is only in the log]",
    );
    const countOf = (id: string): number => linesIn(heard).filter((line) => line.startsWith(`shop/dev/${id}:`)).length;
    expect([countOf("x"), countOf("web")]).toEqual([20_001, 20_001]);
    await app.finalize();
  });

  it("tells so many characters of one that writes long lines", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    await app.exec("x", `for n in $(seq 200); do printf '%010000d\\n' 0; done`);
    expect(linesIn(heard).slice(-2)).toEqual([
      `shop/dev/x: ${"0".repeat(10_000)}`,
      "shop/dev/x: [the rest is only in the log]",
    ]);
    expect(linesIn(heard).length).toBe(101);
  });

  it("of a long line tells its beginning", async () => {
    const heard = recorder();
    const app = await open({ rootDir: await newRoot(), plugins: [heard.plugin] });
    await app.exec("x", "head -c 100000 /dev/zero | tr '\\0' x");
    expect(linesIn(heard)).toEqual([`shop/dev/x: ${"x".repeat(16_000)}…`]);
  });
});
