import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { platform, setPlatform } from "../../../core/base/index.js";
import { createRedactor, type Redactor } from "../../../plugins/secrets/redactor.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage } from "../../helpers/apps/secret-stage.ts";

const MINUTE = 60_000;
let now = 0;
let redactor: Redactor;
beforeEach(() => {
  now = 1_000;
  setPlatform({ ...platform(), monotonicNow: () => now, belongings: new Map() });
  redactor = createRedactor();
});
afterEach(() => setPlatform());

const pass = (minutes: number): void => {
  now += minutes * MINUTE;
};
/** The redactor drops old values only when a new one becomes known. */
const masks = (text: string): boolean => {
  redactor.know("whatever it is");
  return redactor.redact(text) === "***";
};

describe("a value that was not used for an hour", () => {
  test("is masked until then, and no longer", () => {
    redactor.know("hunter2");
    pass(59);
    expect(masks("hunter2")).toBe(true);
    pass(2);
    expect(masks("hunter2")).toBe(false);
    expect(redactor.redact(Buffer.from("hunter2-").toString("base64"))).toBe("aHVudGVyMi0=");
  });

  test("is masked for an hour more whenever it is made known again, alone or in another value", () => {
    redactor.know("hunter2");
    pass(40);
    redactor.know({ password: "hunter2" });
    pass(40);
    expect(masks("hunter2")).toBe(true);
    pass(61);
    expect(masks("hunter2")).toBe(false);
    redactor.know("hunter2");
    expect(masks("hunter2")).toBe(true);
  });

  test("goes alone, whatever else was made known before and after it, and looked for or not", () => {
    const [old, young] = [
      [0, 2, 4, 6, 8],
      [1, 3, 5, 7, 9],
    ].map((all) => all.map((at) => `secret ${at} of some`));
    const bytes = Buffer.from([0xff, 0xfe, 0xfd, 0x80, 0x81]);
    redactor.know([...(old ?? []), Buffer.from([0xff, 0xfe, 0xfd, 0x80])]);
    expect(redactor.redact("secret 0 of some")).toBe("***");
    pass(30);
    redactor.know([...(young ?? []), bytes]);
    for (const each of [...(old ?? []), ...(young ?? [])]) expect(masks(each)).toBe(true);
    pass(31);
    for (const each of old ?? []) expect(masks(each)).toBe(false);
    for (const each of young ?? []) expect(masks(each)).toBe(true);
    expect(masks(bytes.toString("hex"))).toBe(true);
    expect(masks("fffefd80")).toBe(false);
    redactor.know(old);
    for (const each of [...(old ?? []), ...(young ?? [])]) expect(masks(each)).toBe(true);
  });

  test("leaves long ones and short ones, which begin alike, as they were", () => {
    const long = `alike ${"and so on, and so on ".repeat(100)}`;
    redactor.know("alike and old");
    pass(30);
    redactor.know([long, "alike and young"]);
    expect(redactor.redact(`${long}, alike and old`)).toBe("***, ***");
    pass(31);
    expect(masks("alike and old")).toBe(false);
    expect(redactor.redact(`${long}, alike and young`)).toBe("***, ***");
    redactor.know("alike and new");
    expect(redactor.redact(`alike and new, ${long}`)).toBe("***, ***");
    pass(61);
    expect(masks(long)).toBe(false);
  });

  test("that is of an app which lives is masked as long as that does", () => {
    redactor.know("before the app");
    pass(1);
    const letGo = redactor.hold();
    redactor.know("of the app");
    pass(300);
    expect(masks("of the app")).toBe(true);
    expect(masks("before the app")).toBe(false);
    const other = redactor.hold();
    letGo();
    pass(2);
    expect(masks("of the app")).toBe(false);
    other();
  });

  test("is not waited for by a stream", () => {
    redactor.know("hunter2");
    const stream = redactor.stream();
    expect(stream.write("it is hunt")).toBe("it is ");
    pass(61);
    redactor.know("whatever it is");
    expect(stream.write("er2")).toBe("hunter");
    expect(stream.end()).toBe("2");
  });
});

describe("a process that runs for days", () => {
  test("keeps the secrets of the last hour and of the app that lives, not those of all runs before", () => {
    const [RUNS, EACH] = [200, 50];
    const secretOf = (run: number, at: number): string => `secret ${at} of the run ${run}, and of no other`;
    for (let run = 0; run < RUNS; run++) {
      const letGo = redactor.hold();
      for (let at = 0; at < EACH; at++) redactor.know(secretOf(run, at));
      expect(redactor.redact(secretOf(run, run % EACH))).toBe("***");
      pass(10);
      letGo();
    }
    const runs = Array.from({ length: RUNS }, (_, run) =>
      Array.from({ length: EACH }, (_, at) => secretOf(run, at)).filter((secret) => redactor.redact(secret) === "***"),
    );
    const kept = runs.map((secrets) => secrets.length);
    // The last one was made known ten minutes ago, and old ones go with the next that becomes known.
    expect(kept.slice(-7)).toEqual([EACH, EACH, EACH, EACH, EACH, EACH, EACH]);
    expect(kept.slice(0, -7).every((count) => count === 0)).toBe(true);
  });
});

describe("the secret of a program", () => {
  test("is masked again once it is read, however long ago it was made", async () => {
    const secret = new Secret("made long ago");
    pass(61);
    const stage = secretStage();
    const app = await stage.open();
    const { redact } = (await import("../../../plugins/secrets/redactor.js")).redactor;
    expect(redact("made long ago")).toBe("made long ago");
    expect(secret.unencrypted).toBe("made long ago");
    expect(redact("made long ago")).toBe("***");
    pass(100);
    new Secret("another");
    expect(redact("made long ago")).toBe("***");
    await app.finalize();
    pass(2);
    new Secret("another one");
    expect(redact("made long ago")).toBe("made long ago");
  });
});
