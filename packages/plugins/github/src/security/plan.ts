import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { openGitHub } from '../api/github.ts';
import { repositoryAt } from '../repository/address.ts';
import { readRepository } from '../repository/read-repository.ts';
import { CATEGORIES, type Category } from './categories.ts';
import { readPins } from './pins.ts';
import { pipelinesFor } from './pipelines.ts';

export interface PlanInput {
  readonly repoUrl: string;
  readonly analysis?:
    | { readonly repo: string; readonly securityGaps?: readonly { readonly id: string }[] | undefined }
    | undefined;
  readonly categories?: readonly Category[] | undefined;
}

/** What closes a gap of repo_analyze. */
const CLOSES: Readonly<Record<string, readonly Category[]>> = {
  'no-dependency-updates': ['dependency_updates'],
  'no-code-scanning': ['code_scanning'],
  'no-secret-scanning': ['secret_scanning'],
  'unpinned-actions': ['dependency_updates', 'workflow_linting'],
  'default-token-permissions': ['workflow_linting'],
  'checkout-of-foreign-code': ['workflow_linting'],
  'script-injection': ['workflow_linting'],
  'write-all-permissions': ['workflow_linting'],
  'download-run-unchecked': ['workflow_linting'],
};

export async function plan({ repoUrl, analysis, categories = CATEGORIES }: PlanInput, context: CallContext) {
  const { baseUrl } = await context.host.fetching.status('github');
  const at = repositoryAt(repoUrl, baseUrl);
  const wanted = analysis ? closing(analysis, categories, `${at.owner}/${at.repo}`) : categories;
  const github = await openGitHub(context);
  const facts = await readRepository(github, at);
  if (facts.about.private) context.label({ privacy: 'private' });
  const { pipelines, notNeeded } = pipelinesFor(facts, wanted);
  const { pin, unpinned } = await readPins(
    github,
    pipelines.flatMap(({ actions }) => actions),
  );
  const files = pipelines.map((pipeline) => {
    const { path, content } = pipeline.write(pin);
    return {
      path,
      category: pipeline.category,
      why: pipeline.why,
      // Of a file that a cut list does not name it is not known.
      isReplacing: facts.files.includes(path) || (facts.isTreeCut ? null : false),
      content,
    };
  });
  return {
    repo: facts.repo,
    fetchedAt: new Date(facts.fetchedAt).toISOString(),
    ...(facts.staleBecause === undefined ? {} : { staleBecause: facts.staleBecause }),
    ...(facts.isTreeCut ? { isTreeCut: true } : {}),
    files,
    notNeeded,
    unpinned: [...unpinned],
  };
}

function closing(
  { repo, securityGaps }: NonNullable<PlanInput['analysis']>,
  categories: readonly Category[],
  asked: string,
): readonly Category[] {
  if (repo.toLowerCase() !== asked.toLowerCase()) {
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', `analysis is of ${repo}, and repoUrl names ${asked}.`);
  }
  if (!securityGaps) {
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      'analysis has no securityGaps: call repo_analyze with includeSecurityGaps true, or leave analysis out.',
    );
  }
  const closed = new Set(securityGaps.flatMap(({ id }) => CLOSES[id] ?? []));
  return categories.filter((category) => closed.has(category));
}
