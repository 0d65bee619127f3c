/** The time, told anew again and again. */
import { useEffect, useState } from "preact/hooks";

/** @param pace milliseconds; undefined: it stands still */
export function useNow(pace: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (pace === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), pace);
    return () => clearInterval(timer);
  }, [pace]);
  return now;
}
