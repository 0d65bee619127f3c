/**
 * The environment of a program that installs packages. Tests use only Node's own certificates: Node reads additional
 * ones at each start, which takes longer than the rest of it (test/vitest.config.ts).
 */
export function registryEnv(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const certificates = env.NODE_EXTRA_CA_CERTS || env.TEST_CERTIFICATES;
  return certificates ? { ...env, NODE_EXTRA_CA_CERTS: certificates } : env;
}
