/** `engine export`: OpenTofu goes on with the resources of a stage, and finds nothing to do. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { terraformState } from "../../../../plugins/import/terraform/state.js";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { terraformData } from "../../../../plugins/terraform/terraform-data.js";
import { World as PlainWorld } from "../../../helpers/apps/world.js";
import { rejectedCode } from "../../../helpers/checks/codes.js";
import { exported, tofuWith } from "./exported.ts";
import { type FixtureStage, fixtureStages } from "./fixture-stage.ts";

const made = fixtureStages();
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "export-"));
  folders.push(folder);
  return folder;
};

/** All types of the fixture, in scopes, with secrets and references. */
const everything =
  (fixtures: FixtureStage, protocol: string, more: () => Promise<unknown> = async () => {}) =>
  () => {
    const { stage } = fixtures;
    const fixture = fixtures.fixture({ token: new Secret("provider-token") });
    return (async () => {
      const one = await fixture.thing!(
        "one",
        { name: "one", size: 0.1, tags: { a: "b", "${x}": "%{y}" } },
        { protect: true },
      );
      await stage.engine.run("web", async () => {
        await fixture.attributes!("all", {
          string: "é",
          number: 12345678901234567890123n,
          dynamic: [1, "x"],
          tuple: ["a", 1],
          object: { name: "n" },
          setOfObjects: [{ name: "n", count: 1, on: true }, { on: false }],
          mapOfObjects: { a: { count: 1 } },
          eitherString: one.id,
        });
        await fixture.blocks!("one", {
          name: "blocks",
          rule: [{ port: 80, target: { host: "h" } }],
          label: [{ key: "a" }, { key: "b" }],
          single: {},
        });
      });
      await fixture.legacy!("legacy", { name: "legacy" });
      await fixture.private!("private", { name: "private" });
      await fixture.timeouts!("timeouts", { name: "timeouts", timeouts: { create: "1m" } });
      await fixture.versioned!("versioned", { name: "versioned" });
      await fixture.thing!("web_one", { name: new Secret("hidden-name") });
      if (protocol === "6") {
        await fixture.nested!("nested", {
          single: { name: "s" },
          list: [{ name: "x" }, { name: "y", key: "k" }],
          set: [{ name: "s" }],
          map: { m: { name: "q" } },
        });
      }
      await fixture.data.lookup!("found", { name: one.name });
      await more();
    })();
  };

const writes = (asked: readonly string[]): readonly string[] =>
  asked.filter((rpc) => /Apply|Configure|Plan|Import|ReadResource/.test(rpc));

describe.each(["5", "6"])("a stage with all types of a provider, by protocol %s", (protocol) => {
  test("is exported without a write; OpenTofu finds no changes, changes a resource, and destroys all", async () => {
    const fixtures = await made({ FIXTURE_PROTOCOL: protocol });
    const { stage, world } = fixtures;
    const Thing = new PlainWorld().type();
    const program = everything(fixtures, protocol, async () => void (await Thing("own")));
    await stage.up(program);
    await stage.up(program);
    fixtures.asked();
    const env = { FIXTURE_PROTOCOL: protocol };
    const found = await exported(fixtures, { env });
    expect(writes(fixtures.asked())).toEqual([]);
    expect(found.others).toEqual([{ fqn: "app/dev/own", kind: expect.any(String) }]);
    expect([...found.addresses]).toContainEqual(["app/dev/web/one", "fixture_blocks.web_one"]);
    const [config = "", state = ""] = ["main.tf.json", "terraform.tfstate"].map((name) => found.files.get(name));
    expect(config).not.toContain("hidden-name");
    expect(config).not.toContain("provider-token");
    expect(config).toContain("12345678901234567890123");
    const imported = await terraformState.read(state, { place: "test" });
    expect([imported.refusals, imported.resources.length]).toEqual([[], protocol === "6" ? 9 : 8]);

    const folder = await newFolder();
    const tofu = await tofuWith(fixtures, found, folder, env);
    const planned = await tofu.run("plan", "-no-color", "-detailed-exitcode");
    expect(planned).toContain("No changes.");
    expect(await failureOf(tofu.run("destroy", "-auto-approve", "-no-color"))).toContain("prevent_destroy");
    await writeFile(join(folder, "main.tf.json"), config.replace('"name": "private"', '"name": "renamed"'));
    expect(await tofu.run("apply", "-auto-approve", "-no-color")).toContain("0 added, 1 changed, 0 destroyed");
    // The provider got its private data back.
    expect(world.all("fixture_private")).toMatchObject([{ name: "renamed", seen: expect.stringMatching(/^pa/) }]);
    const plain = (await readFile(join(folder, "main.tf.json"), "utf8")).replaceAll('"prevent_destroy": true', "");
    await writeFile(join(folder, "main.tf.json"), plain);
    const count = protocol === "6" ? 9 : 8;
    expect(await tofu.run("destroy", "-auto-approve", "-no-color")).toContain(`${count} destroyed`);
    expect(world.all("fixture_thing")).toEqual([]);
  }, 400_000);
});

test("secrets anywhere in a value are no change for OpenTofu", async () => {
  const fixtures = await made();
  const { stage } = fixtures;
  await stage.up(async () => {
    const it = fixtures.fixture();
    await it.attributes!("hidden", {
      string: new Secret("s-string"),
      dynamic: { k: [new Secret("s-dynamic"), 1] },
      tuple: [new Secret("s-tuple"), 1],
      setOfObjects: [{ name: new Secret("s-set"), count: 1, on: true }],
    });
    await it.thing!("tagged", { name: "tagged", tags: { open: "o", closed: new Secret("s-tag $" + "{x}") } });
    await it.blocks!("blocks", {
      name: "blocks",
      rule: [
        { port: 80, target: { host: "h" } },
        { port: 81, target: { host: new Secret("s-host") } },
      ],
    });
    await terraformData("kept", { input: { k: [new Secret("s-kept"), 1, null] }, triggersReplace: ["x", null] });
  });
  const found = await exported(fixtures);
  expect(found.files.get("main.tf.json")).not.toContain("s-");
  expect(found.variables).toHaveLength(7);
  expect(found.others).toEqual([]);
  const tofu = await tofuWith(fixtures, found, await newFolder());
  expect(await tofu.run("plan", "-no-color", "-detailed-exitcode")).toContain("No changes.");
}, 400_000);

describe("an export refuses", () => {
  test("secrets without the flag, and names the resources that hold them", async () => {
    const fixtures = await made();
    await fixtures.stage.up(everything(fixtures, "5"));
    const found = await rejectedCode(exported(fixtures, { showSecrets: false }));
    expect(found).toEqual(["INVALID_ARGUMENT", expect.stringContaining("--show-secrets")]);
    expect(String(found[1])).toContain('"app/dev/fixture", "app/dev/one"');
  });

  test("props of an earlier version of the provider, by name", async () => {
    const fixtures = await made();
    await fixtures.stage.up(async () => void (await fixtures.before.fixture().versioned!("old", { title: "old" })));
    expect(await rejectedCode(exported(fixtures))).toEqual([
      "UNRESOLVED",
      expect.stringContaining('"app/dev/old" do not fit the present version of test/fixture: title is not a prop'),
    ]);
  });

  test("unfinished actions and old copies, by name", async () => {
    const fixtures = await made();
    const { stage } = fixtures;
    const world = new PlainWorld();
    const Thing = world.type({ replaceOn: ["name"] });
    const program = (name: string) => async (): Promise<void> => {
      await fixtures.fixture().thing!("one", { name: "one" });
      await Thing("own", { name });
    };
    await stage.up(program("a"));
    world.fails("delete own");
    await stage.up(program("b")).catch(() => {});
    const [code, message] = await rejectedCode(exported(fixtures));
    expect([code, message]).toEqual(["UNRESOLVED", expect.stringContaining('"app/dev/own"')]);
    world.calm();
    world.fails("create late");
    await stage
      .up(async () => {
        await program("b")();
        await Thing("late");
      })
      .catch(() => {});
    expect(await rejectedCode(exported(fixtures))).toEqual([
      "UNRESOLVED",
      expect.stringContaining('"app/dev/late" (creating)'),
    ]);
  });
});

/** The error output of a command that fails. */
async function failureOf(running: Promise<unknown>): Promise<string> {
  const [settled] = await Promise.allSettled([running]);
  return settled.status === "rejected" ? String(Reflect.get(Object(settled.reason), "stderr")) : "";
}
