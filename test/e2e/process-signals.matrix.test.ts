import { describe, expect, it } from "vitest";
import { runProgram, startProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { settles } from "./settles.ts";

folderEach();

describe("SIGTERM", () => settles("SIGTERM", 143));

describe("a second Ctrl-C", () => {
  it("is said to be possible with the names of at most five that are waited for", async () => {
    const program = startProgram("interrupted", { cwd, args: ["--quiet", "many"] });
    await Promise.all([program.printed("running"), program.printed("deaf5")]);
    program.process.kill("SIGINT");
    await program.printed("signal: The run was interrupted by SIGINT.");
    program.process.kill("SIGINT");
    const names = ["first", "deaf", "deaf1", "deaf2", "deaf3"].map((id) => `interrupted/dev/${id}`);
    expect((await program.ended).stderr).toContain(
      `running handlers (${names.join(", ")}, and 2 more); press Ctrl-C again`,
    );
  });

  it("does not keep the next run from taking over at once", async () => {
    const program = startProgram("interrupted", { cwd, args: ["deaf"] });
    await Promise.all([program.printed("running"), program.printed("deaf")]);
    program.process.kill("SIGINT");
    await program.printed("signal: The run was interrupted by SIGINT.");
    program.process.kill("SIGINT");
    await program.ended;
    const { code, stderr } = await runProgram("unfinished", { cwd, env: { APP: "interrupted" } });
    expect(stderr).toContain("resuming after");
    expect(code).toBe(0);
  });
});

describe("a signal", () => {
  it("in a generation that app.run has begun on a finalized app is as good as in the first one", async () => {
    const program = startProgram("interrupted", { cwd, args: ["revived"] });
    await program.printed("running");
    program.process.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 130, stdout: expect.stringContaining("cleaned") });
    expect(await stateIn(cwd, "interrupted")).toEqual({ recorded: ["first"], pending: [], isOpen: false });
  });

  it("reaches all apps of the process", async () => {
    const program = startProgram("interrupted", { cwd, args: ["two"] });
    await program.printed("running");
    program.process.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ code: 143 });
    for (const app of ["interrupted", "interrupted too"]) {
      expect(await stateIn(cwd, app)).toMatchObject({ pending: [], isOpen: false });
    }
  });

  it("ends a run that waits for another one's stage, and leaves that one alone", async () => {
    const holder = startProgram("locked", { cwd, args: ["holder"] });
    await holder.printed("holding");
    const waiting = startProgram("locked", { cwd, args: ["--json", "--lock-timeout=10m", "waiting"] });
    await waiting.printed('{"v":1,"type":"state:waiting"');
    waiting.process.kill("SIGINT");
    expect(await waiting.ended).toMatchObject({ code: 130, stderr: "" });
    expect(await stateIn(cwd, "locked")).toMatchObject({ recorded: ["holder"], isOpen: true });
    holder.process.kill("SIGTERM");
    expect(await holder.ended).toMatchObject({ code: 143 });
  });

  it("while orphans are pruned lets the delete at work finish, and keeps the others", async () => {
    await runProgram("pruning", { cwd, args: ["declare"] });
    const program = startProgram("pruning", { cwd, args: ["prune"] });
    await program.printed("deleting");
    program.process.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 130 });
    expect(await stateIn(cwd, "pruning")).toEqual({ recorded: ["a", "b"], pending: [], isOpen: false });
  });
});
