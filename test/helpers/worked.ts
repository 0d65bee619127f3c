/** Milliseconds of the processor that this process has used since: what else the machine does is not ours. */
export function worked(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
