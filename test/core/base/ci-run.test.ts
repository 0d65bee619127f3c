import { describe, expect, it } from "vitest";
import { ciRun } from "../../../core/base/index.js";

describe("the address of a CI run", () => {
  it.each([
    [
      "GitHub Actions",
      { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "we/shop", GITHUB_RUN_ID: "7" },
      "https://github.com/we/shop/actions/runs/7",
    ],
    [
      "Azure Pipelines",
      { SYSTEM_COLLECTIONURI: "https://dev.azure.com/we/", SYSTEM_TEAMPROJECT: "shop", BUILD_BUILDID: "7" },
      "https://dev.azure.com/we/shop/_build/results?buildId=7",
    ],
    ["GitLab", { CI_JOB_URL: "https://gitlab.com/we/shop/-/jobs/7" }, "https://gitlab.com/we/shop/-/jobs/7"],
    ["Jenkins", { BUILD_URL: "http://ci.local/job/shop/7/" }, "http://ci.local/job/shop/7/"],
  ])("is known on %s", (_service, env, url) => {
    expect(ciRun(env)).toBe(url);
  });

  it.each([
    ["nothing says so", {}],
    ["a part is missing", { GITHUB_SERVER_URL: "https://github.com", GITHUB_RUN_ID: "7" }],
    ["it is no address", { BUILD_URL: "job 7" }],
    ["it is none of the web", { BUILD_URL: "file:///etc/passwd" }],
    ["it is empty", { CI_JOB_URL: "" }],
  ])("is not known where %s", (_why, env) => {
    expect(ciRun(env)).toBeUndefined();
  });

  it("is reported without user and password", () => {
    expect(ciRun({ BUILD_URL: "https://bot:secret@ci.local/7" })).toBe("https://ci.local/7");
  });
});
