import { describe, expect, it } from "vitest";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd } from "./own-folder.ts";
import { isDoneUnread, listeners, type Stream, startUnread, unreadEach } from "./unread.ts";

unreadEach();

describe("a program that ends with an uncaught error", () => {
  it.each<[readonly Stream[]]>([[["stderr"]], [["stdout", "stderr"]]])(
    "and that has no reader (%j) records results, closes the session and exits with 1",
    async (streams) => {
      expect(await startUnread("throwing", streams, { args: ["thrown"] }).ended).toMatchObject({ code: 1 });
      expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
    },
  );
});

describe("a run whose lines cannot be printed", () => {
  isDoneUnread([
    [["stdout"], ["--json"]],
    [["stderr"], []],
    [["stdout", "stderr"], []],
  ]);

  it("leaves the program's own listener where it is", async () => {
    expect(await startUnread("printing", ["stdout"], { env: { LISTENS: "yes" } }).ended).toMatchObject({ code: 0 });
    expect(await listeners()).toEqual({ left: 0, own: true, heard: 1 });
  });
});
