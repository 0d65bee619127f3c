/** What nobody can tell of, and what it may have been made from, where values are encrypted. */
import { expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage } from "../../helpers/apps/secret-stage.ts";
import { recordsOf } from "../../helpers/apps/stage.ts";
import { newKind } from "../../helpers/apps/world.ts";

test("holds back all that gives something encrypted, where its own props have something encrypted", async () => {
  const deleted: string[] = [];
  const Key = Resource<{ key?: Secret }, { plain?: boolean }>(newKind(), {
    create: ({ props, id }) => (props.plain ? {} : { key: new Secret(`key-of-${id}-for-all`) }),
    delete: ({ id }) => void deleted.push(id),
  });
  const Server = Resource<unknown, { key: Secret }>(newKind(), {
    create: () => {
      throw new Error("The answer was lost.");
    },
  });
  const stage = secretStage();
  await stage.failures(async () => {
    const { key } = await Key("master");
    await Key("plain", { plain: true });
    await Server("server", { key: new Secret(`derived-${key?.unencrypted}`) });
  });
  const app = await stage.up();
  expect(deleted).toEqual(["plain"]);
  expect(recordsOf(app).map(({ key }) => key)).toEqual(["master", "server"]);
});
