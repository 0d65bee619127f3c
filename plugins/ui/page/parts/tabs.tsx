/** Views of one thing, each at an address of its own. */

interface Tab {
  readonly name: string;
  readonly href: string;
  readonly count?: string;
}

export function Tabs({
  label,
  tabs,
  current,
  isReady = true,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  /** False: what they count is not known yet; they take their place, and are shown when it is. */
  readonly isReady?: boolean;
}) {
  return (
    <nav class="tabs" aria-label={label} data-ready={isReady}>
      {tabs.map(({ name, href, count }) => (
        <a key={name} href={href} aria-current={name.toLowerCase() === current ? "page" : undefined}>
          {name}
          {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
