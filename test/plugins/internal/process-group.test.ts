import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endGroup, groupLives } from "../../../plugins/internal/process/process-group.js";
import { isAlive, pidIn, roots } from "../../helpers/processes/processes.ts";

const newRoot = roots();

/** A shell with a script, as leader of its own process group. */
async function leader(script: string) {
  const cwd = await newRoot();
  const child = spawn("sh", ["-c", script], { cwd, detached: true, stdio: "ignore" });
  await once(child, "spawn");
  const ended = once(child, "exit");
  return { pid: child.pid ?? 0, ended, file: (name: string) => pidIn(join(cwd, name)) };
}

describe("ending a group", () => {
  it("ends its leader and all of its members", async () => {
    const { pid, file } = await leader("sleep 1000 & echo $! > a; sleep 1000 & echo $! > b; wait");
    const members = [await file("a"), await file("b")];
    await endGroup(pid);
    expect([pid, ...members].map(isAlive)).toEqual([false, false, false]);
    expect(groupLives(pid)).toBe(false);
  });

  it("gives all of them the grace to end by themselves", async () => {
    const heard = (name: string): string => `trap "sleep 0.05; echo $$ > ${name}.heard; exit" TERM; echo $$ > ${name}`;
    const { pid, file } = await leader(
      `sh -c '${heard("member")}; while :; do sleep 0.05; done' & ${heard("leader")}; wait`,
    );
    const member = await file("member");
    await file("leader");
    await endGroup(pid, 60_000);
    expect([await file("leader.heard"), await file("member.heard")]).toEqual([pid, member]);
    expect([pid, member].map(isAlive)).toEqual([false, false]);
  });

  it("ends what hears no SIGTERM when its grace is over", async () => {
    const { pid, file } = await leader(`sh -c 'trap "" TERM; echo $$ > deaf; while :; do sleep 0.05; done' & wait`);
    const deaf = await file("deaf");
    await endGroup(pid, 300);
    expect([pid, deaf].map(isAlive)).toEqual([false, false]);
  });

  it("ends one that is stopped", async () => {
    const { pid, ended } = await leader("sleep 1000");
    process.kill(pid, "SIGSTOP");
    await endGroup(pid);
    await ended;
    expect(isAlive(pid)).toBe(false);
  });

  it("whose leader is gone lives as long as a member does", async () => {
    const { pid, ended, file } = await leader("sleep 1000 & echo $! > left");
    const left = await file("left");
    await ended;
    expect(groupLives(pid)).toBe(true);
    await endGroup(pid);
    expect(isAlive(left)).toBe(false);
    expect(groupLives(pid)).toBe(false);
  });
});
