/** Follows the part of a scrolled element that is in sight. */
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useState } from "preact/hooks";

/** In pixels. */
export interface Sight {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

/**
 * Returns the part in sight, and a function that measures it at once, e.g. after the element was scrolled.
 *
 * @param before sizes until the element is measured
 */
export function useSight(box: RefObject<HTMLElement | null>, before: Omit<Sight, "top">): readonly [Sight, () => void] {
  const [sight, setSight] = useState<Sight>({ top: 0, ...before });
  const measure = useCallback((): void => {
    const element = box.current;
    if (element) setSight({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth });
  }, [box]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [box, measure]);
  return [sight, measure];
}
