import { expect, test } from "vitest";
import { createEngine } from "../../plugins/engine/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { COST, PASSWORD, secretStage } from "../helpers/apps/secret-stage.ts";
import { all, put } from "./forging.ts";
import { failureOf, told } from "./runs.ts";
import { placedStore } from "./stages.ts";

/** A run that reads from another stage uses the option for that stage, too: `detachedAppOf` hands it on. */
test.each(["an older one", "one that another person has sealed with a password of their own"])(
  "a run with strictState does not take what another stage offers where that is %s",
  async (which) => {
    const store = placedStore();
    const offering = secretStage({ stateStore: store });
    await offering.up((app) => app.outputs({ host: "old.internal" }));
    const old = await all(store);
    await offering.up((app) => app.outputs({ host: "db.internal" }));
    const reader = createEngine({ plugins: [secrets({ cost: COST })] });
    const read = async () => {
      const options = { stage: "dev", argv: [], env: {}, password: PASSWORD, stateStore: store, strictState: true };
      const app = await reader("reader", options);
      try {
        return await app.run(() => reader.ref<{ host: string }>("app"));
      } finally {
        await app[Symbol.asyncDispose]();
      }
    };
    expect(await read()).toEqual({ host: "db.internal" });

    const evil = secretStage({ password: "of the attacker" });
    await evil.up((app) => app.outputs({ host: "evil.example" }));
    await put(store, which === "an older one" ? old : await all(evil.store));
    expect(told(await failureOf(read()))).toMatch(/^EngineError (STATE_WENT_BACK|WRONG_PASSWORD) /);
  },
);
