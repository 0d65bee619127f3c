import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../helpers/processes/engine-project.js";
import { describeUnless } from "../../servers/given.js";
import { type Shop, shop } from "./state/shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

const opens = async (password: string): Promise<boolean> => {
  const { code } = await project.runWith({ ENGINE_PASSWORD: password }, "state", "show", "db", "--show-secrets");
  return code === 0;
};

describeUnless(lacksPackage, "engine secrets rotate", () => {
  it("takes the new password from the environment: it opens the secrets, the old one does not", async () => {
    const { code, stdout } = await project.runWith({ ENGINE_NEW_PASSWORD: "new" }, "secrets", "rotate");
    expect([code, stdout]).toEqual([
      0,
      'The new password opens the secrets of "shop/tester". Update ENGINE_PASSWORD wherever the program runs.\n',
    ]);
    expect([await opens("new"), await opens("pw")]).toEqual([true, false]);
  });

  it("takes both from the first lines of files", async () => {
    await project.write("old.txt", "pw\nnot this\n");
    await project.write("new.txt", "new one\n");
    const rotated = await project.runWith(
      { ENGINE_PASSWORD: "" },
      ...["secrets", "rotate", "--password-file", "old.txt", "--new-password-file", "new.txt", "--json"],
    );
    expect(rotated.stdout).toBe('{"app":"shop","stage":"tester","rotated":true}\n');
    expect(await opens("new one")).toBe(true);
  });

  it("re-encrypts every secret with --rekey, under the same password if no other is given", async () => {
    const { stdout } = await project.run("secrets", "rotate", "--rekey");
    expect(stdout).toMatch(/^\d+ secrets of "shop\/tester" re-encrypted\.\n$/);
    expect(await opens("pw")).toBe(true);
    const again = await project.runWith({ ENGINE_NEW_PASSWORD: "new" }, "secrets", "rotate", "--rekey");
    expect(again.stderr).toMatch(
      /After this, 2 copies of the state \(\d+, \d+ in the history\) cannot be restored any more/,
    );
    expect([await opens("new"), await opens("pw")]).toEqual([true, false]);
    const history = await project.runWith({ ENGINE_PASSWORD: "new" }, "state", "history");
    expect(history.stdout).toMatch(
      /up .*needs an earlier password.*\n.*secrets rotate --rekey .*needs an earlier password.*\n.*secrets rotate --rekey[^\n]*\d\n$/,
    );
    expect((await project.runWith({ ENGINE_PASSWORD: "new" }, "up")).stdout).toContain("3 unchanged");
  });

  it.each([
    ["a wrong password", { ENGINE_PASSWORD: "wrong", ENGINE_NEW_PASSWORD: "new" }, "WRONG_PASSWORD"],
    ["no password", { ENGINE_PASSWORD: "", ENGINE_NEW_PASSWORD: "new" }, "ENGINE_PASSWORD"],
    ["no new password, and no terminal to ask on", { ENGINE_NEW_PASSWORD: "" }, "ENGINE_NEW_PASSWORD"],
  ])("changes nothing with %s", async (_, env, message) => {
    const before = await project.files();
    const { code, stdout, stderr } = await project.runWith(env, "secrets", "rotate");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(await project.files()).toEqual(before);
  });

  it("is refused where no such stage was ever recorded", async () => {
    const env = { ENGINE_NEW_PASSWORD: "new" };
    const { code, stdout, stderr } = await project.runWith(env, "secrets", "rotate", "--stage", "other");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain('There is no state of "shop/other"');
  });

  it("goes from the password to a key, from that to a command, and back", async () => {
    const generated = await project.run("secrets", "generate-key");
    expect(generated.stdout).toMatch(/^scope-engine-key-1-[\w-]{48}\n$/);
    const key = generated.stdout.trim();
    await project.write("new.key", generated.stdout);
    const rotated = await project.run("secrets", "rotate", "--new-key-file", "new.key");
    expect(rotated.stdout).toBe(
      'The new key opens the secrets of "shop/tester". Update ENGINE_KEY wherever the program runs.\n',
    );
    const shown = (env: Record<string, string>, ...flags: string[]) =>
      project.runWith({ ENGINE_PASSWORD: "", ...env }, "state", "show", "db", "--show-secrets", ...flags);
    expect((await shown({}, "--key-file", "new.key")).code).toBe(0);
    expect((await shown({ ENGINE_KEY: key })).code).toBe(0);
    expect((await shown({ ENGINE_KEY_COMMAND: `echo ${key}` })).code).toBe(0);
    expect((await shown({ ENGINE_PASSWORD: "pw" })).stderr).toContain("its secrets are encrypted with a key");
    expect((await shown({ ENGINE_PASSWORD: "pw", ENGINE_KEY: key })).stderr).toContain("are both set");

    const other = (await project.run("secrets", "generate-key")).stdout.trim();
    const again = await project.runWith(
      { ENGINE_PASSWORD: "", ENGINE_KEY: key },
      ...["secrets", "rotate", "--new-key-command", `echo ${other}`, "--json"],
    );
    expect(again.stdout).toBe('{"app":"shop","stage":"tester","rotated":true}\n');
    const back = await project.runWith(
      { ENGINE_PASSWORD: "", ENGINE_KEY: other, ENGINE_NEW_PASSWORD: "new" },
      ...["secrets", "rotate", "--rekey", "--json"],
    );
    expect(JSON.parse(back.stdout)).toMatchObject({ rekeyed: 3, newPassword: true, newKey: false });
    expect(await opens("new")).toBe(true);
  });
});
