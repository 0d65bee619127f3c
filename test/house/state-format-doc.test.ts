import { describe, expect, test } from "vitest";
import { FORMAT } from "../../core/state/journal/entry.ts";
import { ledgerKeys } from "../../core/state/keys.ts";
import { difference, membersOf, namesInTables, sectionsOf, stringsIn } from "./doc-tables.ts";
import { read } from "./project.ts";

const page = read("docs/guide/state-format.md");
const sections = sectionsOf(page);
const rowsIn = (section: string, heading: string): string[] => namesInTables(sections.get(section) ?? "", heading);

/** Tags that stand as strings in the sources of the codec. */
function tags(): string[] {
  const files = ["leaves.ts", "decode.ts", "encode.ts"].map((file) => read(`core/codec/${file}`));
  const found = files.flatMap((text) => [...stringsIn(text)]).filter((text) => /^\$[a-z]+$/.test(text));
  return [...new Set([...found, ...stringsIn(read("plugins/secrets/envelope.ts"))])].filter((text) =>
    /^\$[a-z]+$/.test(text),
  );
}

describe("docs/guide/state-format.md", () => {
  test("is about the format that is written", () => {
    expect(page).toContain(`**format ${FORMAT}**`);
  });

  test("has a row for every key of a ledger, as it is written", () => {
    const keys = ledgerKeys("{app}", "{stage}");
    const made = [keys.entry(1), keys.checkpoint(1), keys.history(1), keys.lease("{session}")];
    const shapes = made.map((key) => `{app}/{stage}/${key.slice(keys.root.length).replace(/\d{12}$/, "{seq}")}`);
    expect(difference(shapes, rowsIn("Keys", "key"))).toEqual({ undocumented: [], unknown: [] });
  });

  test("has a row for every member of an entry, and no other", () => {
    const members = membersOf(read("core/state/journal/entry.ts"), "Entry");
    expect(difference(members, rowsIn("Lines", "member"))).toEqual({ undocumented: [], unknown: [] });
    const owner = membersOf(read("core/state/journal/entry.ts"), "Owner");
    expect(owner.filter((name) => !(sections.get("Lines") ?? "").includes(`\`${name}\``))).toEqual([]);
  });

  test("has a row for every change, and no other", () => {
    const ops = [...read("core/state/change.ts").matchAll(/readonly op: "(\w+)"/g)].map(([, op = ""]) => op);
    expect(ops).toContain("put");
    expect(difference(ops, rowsIn("Changes", "op"))).toEqual({ undocumented: [], unknown: [] });
  });

  test("has a row for every member of a record, and no other", () => {
    const members = membersOf(read("core/contract/record.ts"), "ResourceRecord");
    expect(difference(members, rowsIn("Records", "member"))).toEqual({ undocumented: [], unknown: [] });
  });

  test("has a row for every member of a checkpoint, and no other", () => {
    const members = membersOf(read("core/state/checkpoint/checkpoint.ts"), "CheckpointBody");
    expect(difference(members, rowsIn("Checkpoints", "member"))).toEqual({ undocumented: [], unknown: [] });
  });

  test("has a row for every tag, and no other", () => {
    expect(tags()).toContain("$map");
    expect(difference(tags(), rowsIn("Values", "tag"))).toEqual({ undocumented: [], unknown: [] });
  });
});
