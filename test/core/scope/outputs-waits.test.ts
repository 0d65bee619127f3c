/** Promises that a run waits for because its outputs contain them. */
import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { offered } from "../../helpers/apps/offered.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";
import { gate, quiet } from "../../helpers/time/gate.ts";

const { open } = testApps();

it("a promise of the program keeps deferred functions waiting, also where the outputs hold what comes of one", async () => {
  const stateStore = memoryStore();
  const app = await open({ stateStore });
  const order: string[] = [];
  const slow = gate<string>();
  const later = app.defer(() => {
    order.push("deferred");
    return "deferred";
  });
  void app.outputs({ slow: slow.opened, later });
  const finalized = app.finalize();
  await quiet();
  order.push("opened");
  slow.open("slow");
  await finalized;
  expect(order).toEqual(["opened", "deferred"]);
  expect(await offered(stateStore)).toEqual({ slow: "slow", later: "deferred" });
});

it("one that begins its work only when it is awaited fails the outputs without its place, for it is not asked again", async () => {
  const app = await open();
  let asked = 0;
  const query = Object.assign(Object.create(Object.prototype), {
    // biome-ignore lint/suspicious/noThenProperty: it is a query, say, which is sent when somebody awaits it
    then(_resolve: unknown, reject: (error: Error) => void) {
      asked += 1;
      reject(new Error("no such table"));
    },
  });
  expect(await rejection(app.outputs({ sound: Promise.resolve(1), query }))).toMatchObject({
    code: "INVALID_CALL",
    message: 'The outputs of "shop/dev": a promise in them rejected: no such table',
  });
  expect(asked).toBe(1);
  await failuresOf(app.finalize());
});
