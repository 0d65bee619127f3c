/**
 * The environment of a program that installs packages. Tests have no certificates but Node's own, for those that are named besides
 * are read at each start of Node, which takes longer than all else of it (test/vitest.config.ts).
 */
export function registryEnv(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const certificates = env.NODE_EXTRA_CA_CERTS || env.TEST_CERTIFICATES;
  return certificates ? { ...env, NODE_EXTRA_CA_CERTS: certificates } : env;
}
