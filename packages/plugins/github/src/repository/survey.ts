import type { RepositoryFacts } from './read-repository.ts';

/** Package managers by the files that they have. */
export const MANIFESTS = [
  {
    ecosystem: 'npm',
    file: /(^|\/)package\.json$/,
    locks: ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'npm-shrinkwrap.json'],
  },
  {
    ecosystem: 'pip',
    file: /(^|\/)(requirements[\w.-]*\.txt|pyproject\.toml|setup\.py|Pipfile)$/,
    locks: ['poetry.lock', 'uv.lock', 'Pipfile.lock', 'pdm.lock'],
  },
  { ecosystem: 'gomod', file: /(^|\/)go\.mod$/, locks: ['go.sum'] },
  { ecosystem: 'cargo', file: /(^|\/)Cargo\.toml$/, locks: ['Cargo.lock'] },
  { ecosystem: 'maven', file: /(^|\/)pom\.xml$/, locks: [] },
  { ecosystem: 'gradle', file: /(^|\/)build\.gradle(\.kts)?$/, locks: [] },
  { ecosystem: 'bundler', file: /(^|\/)Gemfile$/, locks: ['Gemfile.lock'] },
  { ecosystem: 'composer', file: /(^|\/)composer\.json$/, locks: ['composer.lock'] },
  { ecosystem: 'nuget', file: /\.(cs|fs|vb)proj$/, locks: [] },
  { ecosystem: 'docker', file: /(^|\/)Dockerfile(\.[\w-]+)?$/, locks: [] },
  { ecosystem: 'terraform', file: /\.tf$/, locks: ['.terraform.lock.hcl'] },
  { ecosystem: 'github-actions', file: /^\.github\/workflows\/[^/]+\.ya?ml$/, locks: [] },
] as const;

/** Not the project’s own. */
const FOREIGN = /(^|\/)(node_modules|vendor|third_party|testdata|fixtures?)\//;

export type Manifest = {
  readonly ecosystem: string;
  readonly path: string;
};

export function manifestsOf({ files }: Pick<RepositoryFacts, 'files'>): Manifest[] {
  return files
    .filter((path) => !FOREIGN.test(path))
    .flatMap((path) =>
      MANIFESTS.flatMap(({ ecosystem, file }) => (file.test(path) ? [{ ecosystem, path }] : [])),
    );
}

export function workflowsOf({ files }: Pick<RepositoryFacts, 'files'>): string[] {
  return files.filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path));
}

/** Files by the folder at the top that they lie in, most first. */
export function topOf({ files }: Pick<RepositoryFacts, 'files'>): { path: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const path of files) {
    const top = path.includes('/') ? `${path.split('/')[0]}/` : '.';
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [...counts]
    .map(([path, count]) => ({ path, files: count }))
    .sort((a, b) => b.files - a.files || a.path.localeCompare(b.path));
}

/** Shares in percent of all bytes, largest first. */
export function sharesOf(languages: Readonly<Record<string, number>>): Record<string, number> {
  const total = Object.values(languages).reduce((sum, bytes) => sum + bytes, 0);
  return Object.fromEntries(
    Object.entries(languages)
      .sort(([, a], [, b]) => b - a)
      .map(([name, bytes]) => [name, Math.round((bytes / total) * 1_000) / 10]),
  );
}
