/** The CI job and the commit of each entry of the history. */
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { engine, Resource } from "../../../plugins/index.js";

const Thing = Resource("historyci:Thing", {
  create: ({ props }: { props: { size: number } }) => ({ size: props.size }),
  update: ({ props }: { props: { size: number } }) => ({ size: props.size }),
  delete: () => {},
});

const COMMIT = "9fceb02d0ae598e95dc970b74767f19372d61af8";
const CI = {
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REPOSITORY: "acme/shop",
  GITHUB_RUN_ID: "4127",
  GITHUB_SHA: COMMIT,
};

test("the history names the CI job and the commit of a run, and neither for a run elsewhere", async () => {
  const store = memoryStore();
  for (const [size, env] of [{}, CI].entries()) {
    const given = { stage: "dev", stateStore: store, argv: [], quiet: true, telemetry: false, env } as const;
    const app = await engine("history-ci", given);
    await Thing("one", { size });
    await app.finalize();
  }
  await using admin = stageAdmin(store, { app: "history-ci", stage: "dev", env: {} });
  const [first, second] = (await admin.history()).map(({ run }) => run);
  expect(first).not.toHaveProperty("ci");
  expect(first).not.toHaveProperty("commit");
  expect(second).toMatchObject({ ci: "https://github.com/acme/shop/actions/runs/4127", commit: COMMIT });
});
