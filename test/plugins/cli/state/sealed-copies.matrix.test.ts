/** Commands for a sealed state without its password, and the proof of its copies. */
import { hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";
import { useRoot } from "./use-root.ts";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

const KEYLESS = { ENGINE_PASSWORD: "" };

describeUnless(lacksPackage, "commands about a sealed state, without its password", () => {
  it("show what is there, say that it is not verified, and change nothing", async () => {
    const before = await project.files();
    for (const look of [["list"], ["tree"], ["show", "web/page"], ["history"], ["verify"], ["pull"]]) {
      const { code, stderr } = await project.runWith(KEYLESS, "state", ...look);
      expect({ look, code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(look[0] === "history" ? "" : "[UNVERIFIED]"),
      });
    }
    for (const act of [
      ["move", "web", "site"],
      ["forget", "web/*"],
      ["restore", "2"],
      ["migrate", "--to", "other"],
      ["seal"],
    ]) {
      const { code, stderr } = await project.runWith(KEYLESS, "state", ...act, "--yes");
      expect({ act, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("[PASSWORD_REQUIRED]") });
    }
    expect(await project.files()).toEqual(before);
  });
});

describeUnless(lacksPackage, "engine state restore", () => {
  it("takes a copy that the key has sealed, and leaves a password that was changed since as it is", async () => {
    const { present } = await project.json("state", "history");
    const seq = String(Reflect.get(Object(present), "seq"));
    await project.run("state", "forget", "logo", "--yes");
    const rotated = await project.runWith({ ENGINE_NEW_PASSWORD: "another" }, "secrets", "rotate");
    expect(rotated.code).toBe(0);
    const now = { ENGINE_PASSWORD: "another" };
    expect(await project.runWith(now, "state", "restore", seq, "--yes")).toMatchObject({ code: 0 });
    expect((await project.runWith(now, "up")).stdout).toContain("3 unchanged");
    expect((await project.run("up")).stderr).toContain("[WRONG_PASSWORD]");
  });

  it("takes one that another data key has sealed, where the password opens that, and seals by it again", async () => {
    const { present } = await project.json("state", "history");
    const seq = String(Reflect.get(Object(present), "seq"));
    expect((await project.run("secrets", "rotate", "--rekey")).code).toBe(0);
    expect(await project.run("state", "restore", seq, "--yes")).toMatchObject({ code: 0 });
    expect((await project.run("up")).stdout).toContain("3 unchanged");
    expect(await project.run("state", "verify")).toMatchObject({ code: 0 });
  });

  it("refuses one whose seal was taken away, or that was altered, and says where", async () => {
    const { present } = await project.json("state", "history");
    const seq = String(Reflect.get(Object(present), "seq"));
    await project.run("state", "forget", "logo", "--yes");
    const path = `.engine/shop/tester/history/${seq.padStart(12, "0")}.json`;
    const text = await project.read(path);
    await rm(join(project.folder, `.engine/shop/tester/checkpoint/${seq.padStart(12, "0")}.json`), { force: true });
    await project.write(path, redigested(text.replace(/,"mac":"[0-9a-f]{64}"\}\n$/, "}\n")));
    const bare = await project.run("state", "restore", seq, "--yes");
    expect(bare.stderr).toMatch(new RegExp(`history/0*${seq}" has no seal.*--unverified.*\\[STATE_FORGED\\]`));
    await project.write(path, redigested(text.replace("grüße", "grube")));
    const altered = await project.run("state", "restore", seq, "--yes", "--unverified");
    expect(altered.stderr).toMatch(new RegExp(`history/0*${seq}": its seal.*\\[STATE_FORGED\\]`));
    expect((await project.run("state", "verify")).code).toBe(1);
    await project.write(path, redigested(text.replace(/,"mac":"[0-9a-f]{64}"\}\n$/, "}\n")));
    expect(await project.run("state", "restore", seq, "--yes", "--unverified")).toMatchObject({ code: 0 });
    expect((await project.run("up")).stdout).toContain("3 unchanged");
  });
});

describeUnless(lacksPackage, "engine state push", () => {
  it("takes what was pulled with the key, and refuses what was pulled without", async () => {
    await project.run("state", "pull", "--out", "mine.json");
    await project.runWith(KEYLESS, "state", "pull", "--out", "theirs.json");
    await project.run("state", "forget", "logo", "--yes");
    const theirs = await project.run("state", "push", "theirs.json", "--yes", "--force");
    expect(theirs.stderr).toMatch(/"theirs.json" has no seal.*\[STATE_FORGED\]/);
    expect(await project.run("state", "push", "mine.json", "--yes", "--force")).toMatchObject({ code: 0 });
    expect((await project.run("up")).stdout).toContain("3 unchanged");
  });
});

describeUnless(lacksPackage, "engine state migrate", () => {
  it("takes the seal along: the new store is checked, and written, by the same key", async () => {
    expect(await project.run("state", "migrate", "--to", "other", "--yes")).toMatchObject({ code: 0 });
    await useRoot(project, "other");
    expect((await project.run("up")).stdout).toContain("3 unchanged");
    expect((await project.run("state", "forget", "logo", "--yes")).code).toBe(0);
    expect(await project.run("state", "verify")).toMatchObject({ code: 0 });
    expect((await project.runWith(KEYLESS, "up")).stderr).toContain("[PASSWORD_REQUIRED]");
  });
});

/** Gives the text a digest that fits, like an attacker who knows the format. */
function redigested(text: string): string {
  const at = '{"digest":"'.length;
  const body = text.slice(at + 66, -1);
  return `{"digest":"${hash("sha256", body, "hex")}",${body}\n`;
}
