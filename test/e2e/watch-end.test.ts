import { describe, expect, it } from "vitest";
import { reachesTheProgram, sessionEach, start } from "./ended-session.ts";

sessionEach();

describe("SIGINT to the session alone", () => reachesTheProgram("SIGINT", 130));

describe("a session", () => {
  it("is ended at once by a second SIGINT, whatever the program does", async () => {
    const deaf = 'process.on("SIGINT", () => console.log("no")); setInterval(() => {}, 9); console.log("ready");';
    const watch = await start(deaf, "engine.run.js");
    await watch.next("ready");
    watch.process.kill("SIGINT");
    await watch.next("no");
    watch.process.kill("SIGINT");
    expect(await watch.ended).toEqual({ code: 130, signal: null });
  });
});
