import { describe, expect, it } from "vitest";
import { ciCommit, ciRun } from "../../../core/base/index.js";

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
    [
      "Buildkite",
      { BUILDKITE_BUILD_URL: "https://buildkite.com/we/shop/builds/7", BUILDKITE_JOB_ID: "0a1" },
      "https://buildkite.com/we/shop/builds/7#0a1",
    ],
    ["CircleCI", { CIRCLE_BUILD_URL: "https://circleci.com/gh/we/shop/7" }, "https://circleci.com/gh/we/shop/7"],
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

describe("the commit of a CI run", () => {
  const id = "9fceb02d0ae598e95dc970b74767f19372d61af8";

  it.each([
    ["GitHub Actions", { GITHUB_SHA: id }],
    ["GitLab", { CI_COMMIT_SHA: id }],
    ["Buildkite", { BUILDKITE_COMMIT: id }],
    ["CircleCI", { CIRCLE_SHA1: id }],
    ["Jenkins", { GIT_COMMIT: id }],
  ])("is known on %s", (_service, env) => {
    expect(ciCommit(env)).toBe(id);
  });

  it.each([
    ["nothing says so", {}],
    ["it is the name of no commit", { BUILDKITE_COMMIT: "HEAD" }],
    ["it is empty", { GITHUB_SHA: "" }],
    ["it is another text", { GIT_COMMIT: `${id}; rm -rf /` }],
  ])("is not known where %s", (_why, env) => {
    expect(ciCommit(env)).toBeUndefined();
  });
});
