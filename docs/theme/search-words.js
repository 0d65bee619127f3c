/** Other words that people use for a subject, by the page or heading that answers them. */
const WORDS = {
  "guide/getting-started.html": "install quickstart hello world first steps tutorial begin",
  "guide/resources.html#adopting":
    "import something that exists existing adopt take over bring in already exists there",
  "guide/resources.html#renaming": "rename resource id moved alias refactor",
  "guide/resources.html#options-of-a-resource": "retry timeout ignore changes protect prevent destroy retain depends",
  "guide/scopes.html#renaming-a-scope": "rename scope moved alias refactor",
  "guide/state-commands.html#move": "rename by hand move resource state mv",
  "guide/state-commands.html#restore": "rollback roll back undo revert restore previous earlier version backup history",
  "guide/state-commands.html#unlock": "force unlock stuck stale lock release",
  "guide/state-commands.html#migrate": "migrate move state to s3 bucket another store backend",
  "guide/state-commands.html#another-password-or-key": "rotate password key change",
  "guide/state.html#one-writer": "lock locked locking concurrent two runs at once",
  "guide/postgres.html": "postgres postgresql pg sql database table rds aurora neon supabase pgbouncer",
  "guide/team-state.html": "share state remote backend team collaborate together colleagues",
  "guide/team-state.html#unlock-a-stage": "unlock stuck stale lock",
  "guide/team-state.html#team-state-on-s3-in-ten-minutes": "share state s3 aws bucket remote backend",
  "guide/secrets.html#changing-the-password-or-key": "rotate rotation password passphrase key change new rekey",
  "guide/secrets.html": "encrypt encryption credentials vault",
  "guide/plans.html": "dry run preview diff what would happen",
  "guide/plans.html#refresh-and-drift": "drift detect refresh changed by hand outside",
  "guide/guards.html#which-guard-to-use": "delete deletion protection",
  "guide/guards.html#deletes": "protect prevent deletion destroy retain keep",
  "guide/recipes.html#pipelines": "gitlab pipeline ci cd continuous deployment",
  "guide/ui.html": "ui dashboard console web browser gui visualize waterfall timeline watch",
  "guide/recipes.html#github-actions": "github actions workflow pipeline",
  "guide/recipes.html#preview-environments": "preview environments pull request ephemeral branch review apps",
  "guide/recipes.html#monorepo": "monorepo workspaces turborepo nx several apps packages",
  "guide/recipes.html#tenants": "tenants multi tenant saas customers",
  "guide/recipes.html#secrets-from-a-vault": "vault 1password aws secrets manager",
  "guide/scopes.html#references": "output another stack cross stack remote state reference share values",
  "guide/order.html": "dependencies depends on dependson order graph",
  "guide/local-development.html#processes": "docker run command shell dev server spawn exec",
  "guide/embedding.html": "server service saas tenants multi tenant library programmatic api",
  "guide/writing-resources.html": "custom resource provider type own",
  "guide/writing-a-store.html": "custom backend database postgres sql own store",
  "guide/testing.html": "mock fake unit test vitest jest",
  "guide/moving-from-terraform.html": "import tfstate cdktf hcl convert",
  "guide/migrating.html#phrase-book": "terraform pulumi words taint",
  "guide/leave-for-terraform.html": "export tfstate opentofu exit",
  "guide/migrating.html#migrating-from-alchemy": "migrate alchemy sst",
  "guide/limits.html#runtime": "windows macos platform support",
  "guide/telemetry.html": "tracking analytics opt out privacy posthog",
};

/** Words whose page or heading does not exist are reported at the end: the heading may have been renamed. */
const open = new Set(Object.keys(WORDS));

export function wordsFor(address) {
  open.delete(address);
  return WORDS[address];
}

export const wordsWithoutPage = () => [...open];
