/** Stages with an age identity, compared with the `age` program. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { keyIn, newFile } from "../../../plugins/secrets/derivation.js";
import { encrypt, expand, extract, newKey, toBase64 } from "../../../plugins/secrets/envelope.js";
import { secrets } from "../../../plugins/secrets/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { cwd as folder, folderEach } from "../../e2e/own-folder.ts";
import { COST, secretStage, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, Stage } from "../../helpers/apps/stage.ts";
import { World } from "../../helpers/apps/world.ts";
import { describeUnless, given } from "../../servers/given.ts";

const run = promisify(execFile);
const world = new World();
const Thing = world.type();

folderEach("age");

describeUnless(await given("age"), "age and the engine", () => {
  const inFolder = (name: string): string => join(folder, name);

  test("know the same identities, and open each other's files", async () => {
    await run("age-keygen", ["-o", inFolder("key.txt")]);
    const text = await readFile(inFolder("key.txt"), "utf8");
    const identity = text.split("\n").find((line) => line.startsWith("AGE-SECRET-KEY-1")) ?? "";
    const [, recipient = ""] = /public key: (\S+)/.exec(text) ?? [];
    expect(await identityToRecipient(identity)).toBe(recipient);

    const { file, key } = await newFile(identity);
    await writeFile(inFolder("ours"), file);
    const { stdout } = await run("age", ["-d", "-i", inFolder("key.txt"), inFolder("ours")], { encoding: "buffer" });
    expect(stdout).toEqual(key);

    await writeFile(inFolder("plain"), "theirs");
    await run("age", ["-r", recipient, "-o", inFolder("theirs"), inFolder("plain")]);
    expect((await keyIn(await readFile(inFolder("theirs")), identity))?.toString()).toBe("theirs");
    expect(await keyIn(await readFile(inFolder("theirs")), await generateIdentity())).toBeUndefined();
  });

  test("the file that a stage records is opened by age, and by the identity alone", async () => {
    await run("age-keygen", ["-o", inFolder("key.txt")]);
    const stage = secretStage({ password: undefined });
    const key = await readFile(inFolder("key.txt"), "utf8");
    await stage.up(() => Thing("a", { value: new Secret("s3cret-of-a") }), { key });
    const [, file = ""] = /"name":\s*"age",\s*"file":\s*"([^"]+)"/.exec(await textIn(stage.store)) ?? [];
    await writeFile(inFolder("recorded"), Buffer.from(file, "base64"));
    const { stdout } = await run("age", ["-d", "-i", inFolder("key.txt"), inFolder("recorded")], {
      encoding: "buffer",
    });
    expect(stdout).toHaveLength(32);
    await run("age-keygen", ["-o", inFolder("other.txt")]);
    await expect(run("age", ["-d", "-i", inFolder("other.txt"), inFolder("recorded")])).rejects.toThrow("no identity");
  });
});

describe("an attacker who can write the state and knows the recipient", () => {
  test("makes no key that the identity would open", async () => {
    const identity = await generateIdentity();
    const mine = newKey();
    const forging = definePlugin({
      name: "forging",
      apply: ({ hooks }) =>
        hooks.stateLoaded.tapPromise("forging", async ({ keep }) => {
          // An attacker without the identity can still write a file for its recipient, with a key of their own.
          const { file, key } = await newFile(identity);
          const kept = keep("secrets");
          const kdf = { name: "age", file: toBase64(file) };
          const bound = JSON.stringify(["scope-engine data key", 1, kept.lineage, "/", "forged", "age", kdf.file]);
          const wrapping = expand(extract(key), "wrap");
          kept.set("/", { id: "forged", kdf, wrapped: toBase64(encrypt(wrapping, mine, Buffer.from(bound))) });
        }),
    });
    const honest = new Stage({ key: identity }, { plugins: [secrets({ cost: COST })] });
    await honest.up(() => Thing("plain"));
    const before = await textIn(honest.store);
    const stage = new Stage(
      { key: identity, stateStore: honest.store },
      { plugins: [forging, secrets({ cost: COST })] },
    );
    world.news();
    const changes = [
      () => Thing("a", { value: new Secret("s3cret-of-a") }),
      () => Thing("plain", { value: 2 }),
      () => {},
    ];
    for (const program of changes) {
      expect(await failuresOf(stage.up(program))).toMatchObject([{ code: "WRONG_PASSWORD" }]);
    }
    expect(world.news()).toEqual([]);
    expect(await textIn(stage.store)).toBe(before);
    // If no record needs it, the engine replaces it.
    const empty = new Stage({ key: identity }, { plugins: [forging, secrets({ cost: COST })] });
    await empty.up(() => Thing("b"));
    await new Stage({ key: identity, stateStore: empty.store }, { plugins: [secrets({ cost: COST })] }).up(() =>
      Thing("b"),
    );
    expect((await textIn(empty.store)).match(/"id":"forged"/g)).toHaveLength(1);
  });
});
