import { describe, expect, it } from "vitest";
import { advance, type Entry, emptyHead, follows, type Head } from "../../../core/state/index.js";
import { chained, closing, type DraftLine, genesis, openRecord, ops } from "../../helpers/terminal/lines.js";

const open = openRecord();

function foldedHead(...entries: DraftLine[]): Head {
  return chained(...entries).reduce(advance, emptyHead("app", "dev"));
}

const first = { seq: 1, session: "s1", open: openRecord({ genesis }) };

describe("the head", () => {
  it("takes what the ledger belongs to from the first entry", () => {
    const head = foldedHead({ ...first, open: openRecord({ genesis: { lineage: "l", app: "App", stage: "Dev" } }) });
    expect(head).toMatchObject({ lineage: "l", app: "App", stage: "Dev", seq: 1, lines: 1 });
  });

  it("stands at the last line, of which it knows the digest", () => {
    const lines = chained(
      first,
      { seq: 2, session: "s1", grows: true, ...ops("a") },
      { seq: 2, session: "s1", ...ops("b") },
    );
    const head = lines.reduce(advance, emptyHead("app", "dev"));
    expect(head).toMatchObject({ seq: 2, lines: 2, digest: lines[2]?.digest, grows: true });
  });

  it("knows the session that is open, and forgets it when it closes", () => {
    expect(foldedHead(first).open).toMatchObject({ session: "s1", record: { command: "up" } });
    expect(foldedHead(first, { seq: 2, session: "s1", close: closing }).open).toBeUndefined();
    expect(foldedHead({ ...first, close: closing }).open).toBeUndefined();
  });

  it("lets a later session take the place of one that never closed", () => {
    expect(foldedHead(first, { seq: 2, session: "s2", open }).open?.session).toBe("s2");
  });
});

describe("guards", () => {
  it("are the first entry, and every open whose predecessor was not closed", () => {
    const head = foldedHead(
      first,
      { seq: 2, session: "s2", open },
      { seq: 3, session: "s2", ...ops("a") },
      { seq: 4, session: "s2", close: closing },
      { seq: 5, session: "s3", open },
      { seq: 6, session: "s4", open },
    );
    expect(head.guards).toEqual([1, 2, 6]);
  });
});

describe("the version that a store was tried with", () => {
  const later = { seq: 2, session: "s1", ...ops("a") };

  it("is that of a session that went on after its open", () => {
    expect(foldedHead(first).version).toBeUndefined();
    expect(foldedHead(first, later).version).toBe("1.2.3");
  });

  it("is not that of a session whose open was refused", () => {
    const newer = { seq: 3, session: "s2", open: openRecord({ version: "2.0.0" }), ...ops("b") };
    expect(foldedHead(first, later, newer).version).toBe("1.2.3");
    const left = { seq: 4, session: "s2", close: { ...closing, outcome: "left" } } as const;
    expect(foldedHead(first, later, newer, left).version).toBe("1.2.3");
    expect(foldedHead(first, later, newer, { seq: 4, session: "s2", ...ops("c") }).version).toBe("2.0.0");
  });
});

describe("a line follows the head", () => {
  const at = (members: Partial<Head>): Head => ({ ...emptyHead("app", "dev"), seq: 4, digest: "d", ...members });
  const entry = (members: Partial<Entry>): Entry => ({ seq: 5, session: "s", prev: "d", ...members });

  it("where it names the line before it, in the same entry or the next", () => {
    expect(follows(at({}), entry({ ...ops("a") }))).toBe(true);
    expect(follows(at({}), entry({ seq: 4, ...ops("a") }))).toBe(true);
  });

  it("and not where it names another line, or leaves entries out", () => {
    expect(follows(at({}), entry({ prev: "x", ...ops("a") }))).toBe(false);
    expect(follows(at({}), entry({ seq: 4, prev: "x" }))).toBe(false);
    expect(follows(at({}), entry({ seq: 6 }))).toBe(false);
    expect(follows(at({}), entry({ seq: 3 }))).toBe(false);
  });

  it("where it is a lone open after a segment whose end its session could not know", () => {
    expect(follows(at({ grows: true }), entry({ prev: "x", open }))).toBe(true);
    expect(follows(at({ grows: false }), entry({ prev: "x", open }))).toBe(false);
    expect(follows(at({ grows: true }), entry({ prev: "x", open, ...ops("a") }))).toBe(false);
    expect(follows(at({ grows: true }), entry({ prev: "x", open, close: closing }))).toBe(false);
    expect(follows(at({ grows: true }), entry({ prev: "x", ...ops("a") }))).toBe(false);
  });
});
