/** Tabs with an address each. */

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
  /** False: the counts are not known yet; the tabs take their space, and are shown later. */
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
