import { expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

/** Made with a name: whoever asks it for another promise, as `then` does, makes it throw. */
class Job extends Promise<{ value: number }> {
  constructor(name: unknown) {
    if (typeof name !== "string") throw new TypeError("A job needs a name.");
    super((resolve) => setTimeout(() => resolve({ value: 1 }), 5));
  }
}

test("a handler that returns a promise of a class of its own keeps no place from others", async () => {
  const Thing = Resource<{ value: number }, object>(newKind(), {
    create: ({ id }) => (id === "job" ? new Job("job") : { value: 2 }),
    delete: () => {},
  });
  const app = await new Stage({ concurrency: 1 }).open();
  const results = await app.run(() => Promise.allSettled([Thing("job", {}), Thing("other", {})])).catch(String);
  expect(results).toMatchObject([{}, { status: "fulfilled", value: { value: 2 } }]);
  await app.finalize().catch(() => {});
});
