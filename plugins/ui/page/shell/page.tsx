/** The frame of every page: its title, its tabs, and its content. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface PageProps {
  readonly title: string;
  /** Begins the title of the window, e.g. because a question waits. */
  readonly notice?: string | undefined;
  /** Shown next to the title. */
  readonly aside?: ComponentChildren;
  readonly tabs?: ComponentChildren;
  /** Fills the height of the window, and scrolls inside. */
  readonly isFull?: boolean;
  /** Identifies the page: a new one moves the focus to its title. */
  readonly address: string;
  readonly children: ComponentChildren;
}

/** Tells the styles how wide scrollbars are; those of a phone take no place. */
export function measureScrollbars(): void {
  const probe = document.createElement("div");
  probe.style.overflow = "scroll";
  document.body.append(probe);
  for (const [name, width] of [
    ["--bar", "auto"],
    ["--thin-bar", "thin"],
  ] as const) {
    probe.style.scrollbarWidth = width;
    document.documentElement.style.setProperty(name, `${probe.offsetWidth - probe.clientWidth}px`);
  }
  probe.remove();
}

let lastAddress: string | undefined;

export function Page({ title, notice, aside, tabs, isFull = false, address, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${notice === undefined ? "" : `${notice} · `}${title} · scope-engine`;
    if (lastAddress !== undefined && lastAddress !== address) heading.current?.focus({ preventScroll: true });
    lastAddress = address;
  }, [title, notice, address]);
  return (
    <main id="main" class={isFull ? "page is-full" : "page"} tabIndex={-1}>
      <div class="page-head">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {aside}
        </div>
        {tabs}
      </div>
      {children}
    </main>
  );
}
