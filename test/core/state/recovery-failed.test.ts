/** Neither the state nor a recovery file can be written. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { platform } from "../../../core/base/index.js";
import type { HandlerBase } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { cwd as folder, folderEach } from "../../e2e/own-folder.ts";
import { failuresOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { faultyStore } from "../../helpers/stores/store-around.js";

folderEach("recovery");

/** A stage whose project folder is not writable, and whose store refuses writes once it is down. */
async function hopeless() {
  const rootDir = join(folder, "project");
  await writeFile(rootDir, "a file in the place of the folder");
  let isDown = false;
  const stateStore = faultyStore(memoryStore(), ({ op }) => (isDown && op !== "get" ? "refused" : undefined));
  const goDown = (): void => {
    isDown = true;
  };
  return { stage: new Stage({ stateStore, rootDir }), goDown };
}

function messageIn(errors: readonly unknown[]): string {
  const failed = errors.find((error) => Reflect.get(Object(error), "code") === "RECOVERY_FAILED");
  return (failed as Error).message;
}

describe("a run whose store fails, and beside whose project nothing can be written", () => {
  it("fails, and names each result that is recorded nowhere, without its values", async () => {
    const { stage, goDown } = await hopeless();
    const kind = newKind();
    const Thing = Resource(kind, {
      create: ({ id }: { id: string }) => {
        goDown();
        return { name: `hidden-${id}` };
      },
    });
    const program = () => Promise.all(Array.from({ length: 24 }, (_, index) => Thing(`t${index}`)));
    const message = messageIn(await failuresOf(stage.up(program, { concurrency: 30 })));
    expect(message).toContain(join(folder, "project", "engine-recovery.app.dev."));
    expect(message).toMatch(/E(EXIST|NOTDIR)/);
    expect(message).toContain(`\n  - "t0" (${kind})\n`);
    expect(message).toContain("\n  - and 4 more\n");
    expect(message).not.toContain("hidden");
  });
});

describe("a run that has set data, and can record it nowhere", () => {
  it("names whose data that is: of a resource, or of a scope", async () => {
    const { stage, goDown } = await hopeless();
    const kind = newKind();
    const Thing = Resource(kind, {
      async create({ set, scope }: HandlerBase) {
        goDown();
        await Promise.allSettled([set("key", "hidden"), scope.set("key", "hidden")]);
        return {};
      },
    });
    const message = messageIn(await failuresOf(stage.up(() => stage.engine.run("shop", () => Thing("t")))));
    expect(message).toContain(`\n  - data of "shop/t" (${kind})\n`);
    expect(message).toContain('\n  - data of "/shop"\n');
    expect(message).not.toContain("hidden");
  });
});

describe("a file that cannot be written whole", () => {
  it("leaves nothing of itself", async () => {
    const path = join(folder, "taken");
    await mkdir(join(path, "by a folder"), { recursive: true });
    expect(() => platform().files.writeNow(path, "text")).toThrow(/E(ISDIR|NOTEMPTY|EXIST)/);
    expect(await readdir(folder)).toEqual(["taken"]);
  });
});
