/** Addresses of the test run's servers, for the environment of a program that a test starts. */
export function testServers(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const found = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /^TEST_(?:POSTGRES|REDIS|S3)_/.test(name) ? [[name, value]] : [],
  );
  // On Node 20 the SDK announces the end of its support on standard error.
  return { ...Object.fromEntries(found), AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
}
