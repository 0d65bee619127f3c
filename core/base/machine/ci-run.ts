/** The page of the CI run that a process belongs to, so that whoever waits for it can look at it. */

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold the address, by the services that set them. */
const ADDRESSES = [
  "CI_JOB_URL", // GitLab
  "CIRCLE_BUILD_URL",
  "BUILDKITE_BUILD_URL",
  "TRAVIS_JOB_WEB_URL",
  "DRONE_BUILD_LINK",
  "BUILD_URL", // Jenkins
] as const;

/** Its URL, without user and password; undefined outside of CI and where the service does not tell. */
export function ciRun(env: Environment): string | undefined {
  const address = onGitHub(env) ?? onAzure(env) ?? ADDRESSES.map((name) => env[name]).find(Boolean);
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  url.username = "";
  url.password = "";
  return url.href;
}

function onGitHub({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Environment): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}

function onAzure({ SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT, BUILD_BUILDID }: Environment): string | undefined {
  if (!SYSTEM_COLLECTIONURI || !SYSTEM_TEAMPROJECT || !BUILD_BUILDID) return undefined;
  return `${SYSTEM_COLLECTIONURI}${SYSTEM_TEAMPROJECT}/_build/results?buildId=${BUILD_BUILDID}`;
}
