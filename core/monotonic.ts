/**
 * Milliseconds since an arbitrary moment; never goes back. Not `performance.now()`: Node loads a dozen modules when that is
 * first asked for, which every start of every program would pay for.
 */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
