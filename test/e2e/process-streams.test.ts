import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd } from "./own-folder.ts";
import { done, isDoneUnread, listeners, unreadEach } from "./unread.ts";

unreadEach();

describe("a run whose lines cannot be printed", () => {
  isDoneUnread([[["stdout"], []]]);

  it.skipIf(!existsSync("/dev/full"))("because a disk is full is done all the same, and says so once", async () => {
    const { code, stderr } = await runProgram("printing", { cwd, stdoutTo: "/dev/full" });
    expect(stderr.match(/Cannot write to stdout, so nothing more is printed there: ENOSPC/g)).toHaveLength(1);
    expect(code).toBe(0);
    expect(await stateIn(cwd, "printing")).toEqual(done);
    expect(await listeners()).toEqual({ left: 0, own: false, heard: 0 });
  });
});
