import type { RepositoryFacts } from '../repository/read-repository.ts';
import { MANIFESTS, manifestsOf, workflowsOf } from '../repository/survey.ts';

export type Gap = {
  readonly id: string;
  readonly severity: 'high' | 'medium' | 'low';
  readonly what: string;
  /** The files that say so; of what is missing, what was looked for. */
  readonly evidence: string[];
};

export interface ReadWorkflow {
  readonly path: string;
  readonly text: string;
}

/** What the files that were fetched show. Of a tree that GitHub cut nothing is called missing. */
export function securityGaps(facts: RepositoryFacts, workflows: readonly ReadWorkflow[]): Gap[] {
  return [...workflows.flatMap(workflowGaps), ...(facts.isTreeCut ? [] : missing(facts, workflows))];
}

function missing(facts: RepositoryFacts, workflows: readonly ReadWorkflow[]): Gap[] {
  const has = (pattern: RegExp) => facts.files.some((path) => pattern.test(path));
  const runs = (pattern: RegExp) => workflows.some(({ text }) => pattern.test(text));
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
  if (isAllRead && !runs(/github\/codeql-action|semgrep|sonar/i)) {
    add({
      id: 'no-code-scanning',
      severity: 'medium',
      what: 'No workflow scans the code (CodeQL, Semgrep, Sonar). Scanning that is set up outside of files can’t be seen from here.',
      evidence: ['.github/workflows/'],
    });
  }
  if (isAllRead && !runs(/gitleaks|trufflehog|detect-secrets/i)) {
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

function workflowGaps({ path, text }: ReadWorkflow): Gap[] {
  const gaps: Gap[] = [];
  const lines = text.split('\n').map((line) => line.trim());
  const uses = lines.flatMap((line) => /^(?:- )?uses: ?["']?([^\s"'#]+)/.exec(line)?.[1] ?? []);
  const loose = uses.filter(
    (name) => !name.startsWith('./') && !name.startsWith('docker://') && !/@[\da-f]{40}$/.test(name),
  );
  if (loose.length > 0) {
    gaps.push({
      id: 'unpinned-actions',
      severity: 'medium',
      what: `${loose.length} of ${uses.length} actions are named by a tag or branch, which can be moved: ${[...new Set(loose)].slice(0, 5).join(', ')}.`,
      evidence: [path],
    });
  }
  if (!lines.some((line) => line.startsWith('permissions:'))) {
    gaps.push({
      id: 'default-token-permissions',
      severity: 'medium',
      what: 'It states no permissions, so its token has the repository’s default ones.',
      evidence: [path],
    });
  }
  if (
    /pull_request_target|workflow_run/.test(text) &&
    /actions\/checkout/.test(text) &&
    /head\.(sha|ref)|head_ref/.test(text)
  ) {
    gaps.push({
      id: 'checkout-of-foreign-code',
      severity: 'high',
      what: 'It is started with the repository’s secrets by a pull request, and checks out the pull request’s code.',
      evidence: [path],
    });
  }
  const runs = text.match(
    /\$\{\{\s*github\.event\.(issue|pull_request|comment|review|head_commit)\.[\w.]*(title|body|message|ref|label|name|email)\s*\}\}/,
  );
  if (runs) {
    gaps.push({
      id: 'script-injection',
      severity: 'high',
      what: `It puts text that anybody may write where a shell may read it: ${runs[0]}.`,
      evidence: [path],
    });
  }
  return gaps;
}
