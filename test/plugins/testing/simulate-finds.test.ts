/** Findings of `simulate` in wrong code, and the faults of its requests to the outside world. */
import { describe, expect, it } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { type SimulationTools, simulate } from "../../../plugins/testing/index.js";
import { found, foundIn } from "./found-in-simulation.js";

describe("simulate", () => {
  it("says which undisturbed run has failed, and with what", async () => {
    const error = await foundIn(({ request }) =>
      request(() => {
        throw new Error("the service is full");
      }),
    );
    expect(error.problems[0]).toBe(
      'A run without any fault has failed: HANDLER_FAILED: create of "app/dev/thing" failed: the service is full',
    );
    expect(error.trace.join("\n")).toContain("create of thing: the request is refused: the service is full");
  });

  it("finds an unhandled rejection", async () => {
    const error = await found({
      setUp: () => ({
        programs: [
          async () => {
            void Promise.reject(new Error("nobody hears this"));
          },
        ],
      }),
    });
    expect(error.problems.join("\n")).toContain("did not handle a rejection: Error: nobody hears this");
  });

  it("loses requests before their effect, and answers after it", async () => {
    let tools!: SimulationTools;
    const told = new Map<string, number>();
    const note = (message: string): void => void told.set(message, (told.get(message) ?? 0) + 1);
    const Asking = Resource("simulate:Asking", {
      idempotent: true,
      async create() {
        let effects = 0;
        const what = await tools
          .request(() => void effects++)
          .then(
            () => "answered",
            (error: Error) => error.message,
          );
        note(`${effects}: ${what}`);
        return {};
      },
      delete: () => {},
    });
    await simulate({
      seed: 1,
      histories: 15,
      lost: 0.9,
      setUp(given) {
        tools = given;
        return { programs: [() => Promise.all(["a", "b", "c"].map((id) => Asking(id)))] };
      },
    });
    expect([...told.keys()].sort()).toEqual([
      "0: The request was lost in the simulated network.",
      "1: The simulated network did the request and lost its answer.",
      "1: answered",
    ]);
  });
});
