/** Types and helpers for the tests of the test app. */
import type { HandlersDefinition } from "../../../core/contract/index.js";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../plugins/testing/index.js";
import { newKind } from "./world.js";

/** A service that keeps boxes, outside of every run; a repeated create finds the box that it has made. */
export function boxes() {
  const kind = newKind();
  const there = new Map<string, number>();
  const calls: string[] = [];
  const definition: HandlersDefinition<{ size: number }, { size: number }> = {
    recognizesOwn: true,
    create({ props, token }) {
      calls.push("create");
      there.set(token, props.size);
      return { size: props.size };
    },
    read({ token, output }) {
      calls.push("read");
      const size = there.get(token);
      return output ?? (size === undefined ? undefined : { size });
    },
    update({ props }) {
      calls.push("update");
      return { size: props.size };
    },
    delete() {
      calls.push("delete");
      there.clear();
    },
  };
  return { kind, there, calls, definition, news: () => calls.splice(0) };
}

/** Runs a test with an app that is disposed at its end. */
export async function withApp<T>(body: (app: TestApp) => Promise<T>, options?: TestAppOptions): Promise<T> {
  await using app = await createTestApp(options);
  return await body(app);
}
