import type { RepositoryFacts } from '../repository/read-repository.ts';
import { MANIFESTS, manifestsOf, workflowsOf } from '../repository/survey.ts';
import type { Danger, WorkflowFacts } from './reading/dangers.ts';

export type Gap = Danger & {
  /** The files that say so; of what is missing, what was looked for. */
  readonly evidence: string[];
};

export interface ReadWorkflow extends WorkflowFacts {
  readonly path: string;
}

/** What the files that were fetched show. Of a tree that GitHub cut nothing is called missing. */
export function securityGaps(facts: RepositoryFacts, workflows: readonly ReadWorkflow[]): Gap[] {
  const dangers = workflows.flatMap(({ path, dangers: found }) =>
    found.map((danger) => ({ ...danger, evidence: [path] })),
  );
  return [...dangers, ...(facts.isTreeCut ? [] : missing(facts, workflows))];
}

function missing(facts: RepositoryFacts, workflows: readonly ReadWorkflow[]): Gap[] {
  const has = (pattern: RegExp) => facts.files.some((path) => pattern.test(path));
  const gaps: Gap[] = [];
  const add = (gap: Gap) => void gaps.push(gap);
  const isAllRead = workflows.length === workflowsOf(facts).length;
  const manifests = manifestsOf(facts).filter(({ ecosystem }) => ecosystem !== 'github-actions');
  if (
    manifests.length > 0 &&
    !has(/^\.github\/dependabot\.ya?ml$/) &&
    !has(/(^|\/)(\.?renovate(rc)?)(\.json5?)?$/)
  ) {
    add({
      id: 'no-dependency-updates',
      severity: 'medium',
      what: 'Nothing updates dependencies by itself.',
      evidence: ['.github/dependabot.yml', 'renovate.json'],
    });
  }
  if (isAllRead && !workflows.some(({ scansCode }) => scansCode)) {
    add({
      id: 'no-code-scanning',
      severity: 'medium',
      what: 'No workflow scans the code (CodeQL, Semgrep, Sonar). Scanning that is set up outside of files can’t be seen from here.',
      evidence: ['.github/workflows/'],
    });
  }
  if (isAllRead && !workflows.some(({ scansForSecrets }) => scansForSecrets)) {
    add({
      id: 'no-secret-scanning',
      severity: 'low',
      what: 'No workflow looks for secrets. GitHub’s own secret scanning can’t be seen from here.',
      evidence: ['.github/workflows/'],
    });
  }
  if (!has(/^(\.github\/|docs\/)?SECURITY\.(md|rst|txt)$/i)) {
    add({
      id: 'no-security-policy',
      severity: 'low',
      what: 'No SECURITY.md says how to report a vulnerability.',
      evidence: ['SECURITY.md', '.github/SECURITY.md', 'docs/SECURITY.md'],
    });
  }
  if (!has(/^(\.github\/|docs\/)?CODEOWNERS$/)) {
    add({
      id: 'no-codeowners',
      severity: 'low',
      what: 'No CODEOWNERS says who reviews what.',
      evidence: ['CODEOWNERS', '.github/CODEOWNERS', 'docs/CODEOWNERS'],
    });
  }
  for (const { ecosystem, locks } of MANIFESTS) {
    const first = manifests.find((each) => each.ecosystem === ecosystem);
    if (!first || locks.length === 0) continue;
    if (facts.files.some((path) => locks.some((lock) => path === lock || path.endsWith(`/${lock}`))))
      continue;
    add({
      id: `no-lockfile-${ecosystem}`,
      severity: 'medium',
      what: `Versions of ${ecosystem} packages are not locked.`,
      evidence: [first.path, ...locks],
    });
  }
  return gaps;
}
