/** The CI service that a process runs on. */
import type { Environment } from "../../core/base/index.js";
import { isSet } from "./switches.js";

/** A variable that only this service sets, and its name. */
const VENDORS: Readonly<Record<string, string>> = {
  APPVEYOR: "appveyor",
  BITBUCKET_BUILD_NUMBER: "bitbucket",
  BUILDKITE: "buildkite",
  CIRCLECI: "circleci",
  CODEBUILD_BUILD_ID: "codebuild",
  DRONE: "drone",
  GITHUB_ACTIONS: "github",
  GITLAB_CI: "gitlab",
  JENKINS_URL: "jenkins",
  NETLIFY: "netlify",
  TEAMCITY_VERSION: "teamcity",
  TF_BUILD: "azure",
  TRAVIS: "travis",
  VERCEL: "vercel",
};

/** Its name; true for one that is not known, false where there is none. */
export function ciVendor(env: Environment): string | boolean {
  const [, vendor] = Object.entries(VENDORS).find(([name]) => env[name]) ?? [];
  return vendor ?? isSet(env.CI);
}
