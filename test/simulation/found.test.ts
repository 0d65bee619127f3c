import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { History } from "./history.ts";
import { live } from "./live.ts";

/** The shortest forms of random histories that failed once, by their violation. */
const found: Readonly<Record<string, string>> = {
  "a run that cannot begin, and has recorded what an earlier one could not, keeps the stage locked":
    "stale-plan-after-recovery",
  "what a create that is called again leaves unsettled is deleted without an output": "child-of-a-repeated-create",
  "what a create that is called again would settle is given up before": "part-of-a-repeated-create",
  "a part that fails after its whole has succeeded is never made": "part-that-failed-behind-its-whole",
  "a plan does not say that what an interrupted create has left may have to go": "replace-of-what-a-create-left",
  "what is settled to be deleted, and is kept, has no place in the order": "settled-and-kept",
  "somebody's thing in the place of what was just deleted keeps the run after that from adopting it":
    "foreign-in-place-of-deleted",
  "a whole that a destroy has found to be there is taken for finished, though a part of it is pending":
    "part-left-pending-by-a-destroy",
  "the parts of an old copy cannot be settled, for those of another copy were": "parts-of-two-copies",
  "a part in a scope of its handler waits for the place that the handler holds": "one-place-for-handlers",
  "what resolves for the first time, and is declared again, is recorded as done before it was ready":
    "interval-turned-round",
  "a scope that only the create has entered which is called again keeps the update from renaming it":
    "scope-renamed-before-it-was-made",
  "a session that begins behind the back of others, and cannot tell, ends itself by an entry that damages theirs":
    "open-behind-the-back-of-others",
  "who knows that another one has taken over goes on to make checkpoints": "checkpoints-of-one-overtaken",
  "what a handler declares again is deleted where only the end of that handler is recovered":
    "part-declared-again-and-not-recorded",
  "a part that is still being made when its whole fails to be settled is looked for, not found and forgotten":
    "part-at-work-when-its-whole-fails",
  "what failed in a call of a handler that is made once more, and succeeds, fails the run":
    "failed-in-a-call-made-again",
  "who was overtaken, waits for the other and opens a session then is taken for one who goes on":
    "open-after-being-overtaken",
  "what somebody has changed stays so where a destroy that fails has looked at it after its interrupted create":
    "changed-and-looked-at-by-a-destroy",
  "what an update that failed was to do without is deleted by a run that leaves out what may use it still":
    "needed-until-the-update-succeeds",
  "an interrupted create that is to go is never settled, for its part finds something in its way, which may be taken over":
    "part-of-an-old-copy-in-the-way",
  "what is deleted to the end, and made anew under another name, in a run that has failed is taken for pruned":
    "renamed-while-its-delete-was-pending",
  "an up of the unchanged program deletes a resource whose destroy failed": "up-after-a-failed-destroy-deletes",
  "a replacement that the service refused is reverted, and the next run deletes the resource":
    "refused-replacement-is-reverted-and-deletes",
  "an adoption was killed, and its resource is deleted when the line is dropped":
    "killed-adoption-is-dropped-and-deletes",
  "a read that goes by the name claims a resource that an interrupted create has not made":
    "claimed-by-name-after-a-create-that-found-it",
  "a new copy takes the name of an old copy that waits for its delete": "name-of-a-waiting-copy-is-given-again",
  "a new resource takes the name of a retained one": "name-of-a-retained-resource-is-given-again",
  "a repeat of an idempotent create fails, and the next one makes a second resource":
    "repeat-that-fails-makes-a-second-one",
  "an update of other props sets an ignored prop back": "ignored-prop-is-reverted",
  "an ignored prop that others changed is set back after a delete that has left a part of the resource":
    "ignored-prop-reverted-after-a-part",
  "a plan keeps silent about a delete, because the repeat of an interrupted create has to finish a part first":
    "part-of-a-repeated-create-in-a-plan",
  "a target that names a part of a retained resource deletes the part when the resource is no longer declared":
    "part-of-a-retained-whole-that-a-target-names",
  "looking at a finalized app deletes what it has": "look-at-a-finalized-app-deletes",
  "a run with a plan that replaces a resource and its dependent is refused, because the resource is in use":
    "plan-that-replaces-what-is-in-use-is-refused",
  "a read that lags makes a second resource": "read-that-lags-makes-a-second-one",
  "a targeted run leaves an order in which a dependency is deleted before its dependent":
    "order-after-a-targeted-run-is-wrong",
  "whoever forgets a resource that is gone forgets its old copy, which is there": "old-copy-of-what-is-forgotten",
  "a part is never made, because a destroy that was killed had repeated the create of its whole":
    "repeated-by-a-destroy-without-its-parts",
  "what a killed delete left of a resource is taken for all of it, once its replacement was refused":
    "part-of-a-killed-delete-whose-replacement-is-refused",
  "a run that Ctrl-C has ended is finalized as if it were done": "interrupted-run-is-finalized-as-done",
  "a run that stood still between the intent and its delete deletes what another run has kept meanwhile":
    "paused-before-its-delete",
};

describe("never again", () => {
  test.each(Object.entries(found))("%s", async (_symptom, name) => {
    const text = readFileSync(new URL(`found/${name}.json`, import.meta.url), "utf8");
    expect((await live(JSON.parse(text) as History)).problems).toEqual([]);
  });
});
