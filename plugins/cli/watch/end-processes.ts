/** What a session has spawned ends with it. */
export async function endProcesses(_folders: readonly string[], _session: string): Promise<void> {}
