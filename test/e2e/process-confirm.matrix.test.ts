import { expect, it } from "vitest";
import { lacksScript } from "../helpers/processes/script.ts";
import { describeUnless } from "../servers/given.ts";
import { onTerminal, threeEach } from "./confirming.ts";

threeEach();

describeUnless(lacksScript, "a process on a terminal that would delete more than --max-deletes allows", () => {
  it.each([
    ["no", "n\r"],
    ["nothing but Return", "\r"],
    ["the end of the input", "\x04"],
    ["Ctrl-C", "\x03"],
  ])("deletes nothing when the answer is %s", async (_answer, keys) => {
    const { code, shown, recorded } = await onTerminal(keys);
    expect(shown).toContain(
      "The 2 deletes were not carried out: maxDeletes allows 1 more, and you did not confirm a higher number.",
    );
    expect({ code, recorded }).toEqual({ code: 1, recorded: ["n1", "n2", "n3"] });
  });

  it("does not ask in CI", async () => {
    const { code, shown, recorded } = await onTerminal("y\r", { CI: "true" });
    expect(shown).not.toContain("[y/N]");
    expect({ code, recorded }).toEqual({ code: 1, recorded: ["n1", "n2", "n3"] });
  });
});
