/** Where the servers of the test run are, for the environment of a program that a test starts. */
export function testServers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const found = Object.entries(env).filter(([name]) => /^TEST_(?:REDIS|S3)_/.test(name));
  // On Node 20 the SDK announces on standard error when it will end its support.
  return { ...Object.fromEntries(found), AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
}
