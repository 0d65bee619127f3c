import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digested, readDigested } from "../../../core/state/checkpoint/digested-text.js";
import { advance, Contents, emptyHead, parseCheckpoint, writeCheckpoint } from "../../../core/state/index.js";
import { codeOf } from "../../helpers/checks/codes.js";
import { recordAt } from "../../helpers/stores/ledgers.js";
import { chained, flipped, genesis, openRecord, ops } from "../../helpers/terminal/lines.js";

const lines = chained(
  { seq: 1, session: "s1", open: openRecord({ genesis }) },
  { seq: 2, session: "s1", grows: true, ...ops("a") },
  { seq: 2, session: "s1", ...ops("ü") },
);
const head = lines.reduce(advance, emptyHead("app", "dev"));

function contents(): Contents {
  const made = new Contents();
  for (const key of ["a", "ü"]) made.apply({ op: "put", record: recordAt(key) });
  made.apply({ op: "put", record: recordAt("a", { uid: "old", replaced: true }) });
  made.apply({ op: "data", owner: "/", key: "n", value: { $date: "x" } });
  return made;
}

const text = writeCheckpoint(head, contents(), { version: "1.2.3" });
const parse = (changed: string) => parseCheckpoint("the key", 2, changed);

describe("a checkpoint", () => {
  it("of any size has the digest of its UTF-8, also of halves of characters", () => {
    for (const size of [10, 3_000_000]) {
      const json = JSON.stringify({ text: "ü\u2028😀".repeat(size / 5) }).replace("}", '\ud83d"}');
      const { text: whole, digest } = digested(json);
      expect(digest).toBe(createHash("sha256").update(json.slice(1), "utf8").digest("hex"));
      expect(readDigested(whole)?.digest).toBe(digest);
      const mac = digested(json, () => "0".repeat(64)).text;
      expect(readDigested(mac)?.seal?.covered).toBe(createHash("sha256").update(json.slice(1, -1)).digest("hex"));
    }
  });

  it("gives back where the journal stands and all that is recorded", () => {
    const read = parse(text);
    expect(read.head).toEqual(head);
    expect([...read.contents.records]).toEqual([...contents().records]);
    expect([...read.contents.data]).toEqual([...contents().data]);
    expect(read.contents.at("a")?.uid).toBe("uid-a");
  });

  it("keeps who had a session open, and every guard", () => {
    expect(parse(text).head).toMatchObject({ open: { session: "s1", record: { owner: { pid: 1 } } }, guards: [1] });
    const closed = { ...head, open: undefined };
    expect(parse(writeCheckpoint(closed, contents(), { version: "1.2.3" })).head.open).toBeUndefined();
  });

  it("counts as that of the version that wrote it, which has tried the store", () => {
    expect(parse(writeCheckpoint({ ...head, version: undefined }, contents(), { version: "1.2.4" })).head.version).toBe(
      "1.2.4",
    );
  });

  it("tells every byte that was altered, with its key", () => {
    for (const { text: altered } of flipped(text)) {
      expect(codeOf(() => parse(altered))).toEqual(["STATE_CORRUPT", expect.stringContaining('"the key"')]);
    }
  });

  it("tells that its end, or all of it, is missing", () => {
    for (let length = 0; length < text.length; length++)
      expect(codeOf(() => parse(text.slice(0, length)))[0]).toBe("STATE_CORRUPT");
    expect(codeOf(() => parse(`${text}x`))[0]).toBe("STATE_CORRUPT");
    expect(codeOf(() => parse(`${text}\n`))[0]).toBe("STATE_CORRUPT");
  });

  it("is not taken for that of another entry", () => {
    expect(codeOf(() => parseCheckpoint("the key", 3, text))).toEqual([
      "STATE_CORRUPT",
      expect.stringContaining("entry 2"),
    ]);
  });

  it("of a newer format is refused by the name of the version that wrote it", () => {
    const newer = `${digested(JSON.stringify({ format: 2, version: "9.8.7", shape: "unknown" })).text}\n`;
    expect(codeOf(() => parse(newer))).toEqual(["STATE_FORMAT", expect.stringContaining("scope-engine 9.8.7")]);
  });

  it("of an older format is read", () => {
    expect(
      parse(
        `${
          digested(
            text
              .replace(/^\{"digest":"\w+",/, "{")
              .trimEnd()
              .replace('"format":1', '"format":0'),
          ).text
        }\n`,
      ).head.seq,
    ).toBe(2);
  });
});
