/** Does something again and again, while the page is in sight. */
import { useEffect } from "preact/hooks";

/** @param pace milliseconds */
export function useEvery(pace: number, action: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) action();
    }, pace);
    return () => clearInterval(timer);
  }, [pace, action]);
}
