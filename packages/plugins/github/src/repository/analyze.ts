import { type CallContext, isToolError } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import { type GitHub, openGitHub } from '../api/github.ts';
import { fitAnswer, pickFields } from '../fit-answer.ts';
import { type ReadWorkflow, securityGaps } from '../security/gaps.ts';
import type { GitHubState } from '../state.ts';
import { type Repository, repositoryAt } from './address.ts';
import { type RepositoryFacts, readRepository, readText } from './read-repository.ts';
import { manifestsOf, sharesOf, topOf, workflowsOf } from './survey.ts';

/** A request each; a repository has hardly more that matter. */
const MAX_WORKFLOWS = 15;
const MAX_DESCRIPTION = 500;

export interface AnalyzeInput {
  readonly repoUrl: string;
  readonly includeSecurityGaps: boolean;
  readonly fields?: readonly string[] | undefined;
  readonly maxTokens: number;
}

export async function analyze(
  { repoUrl, includeSecurityGaps, fields, maxTokens }: AnalyzeInput,
  context: CallContext<GitHubState>,
) {
  const { baseUrl } = await context.host.fetching.status('github');
  const at = repositoryAt(repoUrl, baseUrl);
  const github = await openGitHub(context);
  const facts = await readRepository(github, at);
  if (facts.about.private) context.label({ privacy: 'private' });
  const isAskedForGaps = includeSecurityGaps || fields?.includes('securityGaps');
  const read = isAskedForGaps ? await readWorkflows(facts, { github, at, context }) : undefined;
  const answer = {
    repo: facts.repo,
    fetchedAt: new Date(facts.fetchedAt).toISOString(),
    ...(facts.staleBecause === undefined ? {} : { staleBecause: facts.staleBecause }),
    about: aboutOf(facts),
    languages: sharesOf(facts.languages),
    fileCount: facts.files.length,
    ...(facts.isTreeCut ? { isTreeCut: true } : {}),
    folders: topOf(facts),
    manifests: manifestsOf(facts).filter(({ ecosystem }) => ecosystem !== 'github-actions'),
    workflows: workflowsOf(facts),
    ...(read ? { securityGaps: securityGaps(facts, read.workflows) } : {}),
    ...(read && read.notRead.length > 0 ? { notRead: [...read.notRead] } : {}),
  };
  const always = ['repo', 'fetchedAt', 'staleBecause', 'isTreeCut', 'notRead'];
  return fitAnswer(pickFields(answer, { always, fields }), maxTokens);
}

/** What is not there, too much, or no workflow is named under `notRead`. */
async function readWorkflows(
  facts: RepositoryFacts,
  { github, at, context }: { github: GitHub; at: Repository; context: CallContext<GitHubState> },
): Promise<{ readonly workflows: readonly ReadWorkflow[]; readonly notRead: readonly string[] }> {
  const paths = workflowsOf(facts);
  const workflows: ReadWorkflow[] = [];
  const notRead = paths.slice(MAX_WORKFLOWS);
  const room = await context.state.room();
  for (const path of paths.slice(0, MAX_WORKFLOWS)) {
    const text = await readText(github, at, path);
    if (text === undefined) {
      notRead.push(path);
      continue;
    }
    try {
      workflows.push({ path, ...(await room.visit({ signal: context.signal })('workflow', text)) });
    } catch (error) {
      if (context.signal.aborted || !isToolError(error)) throw error;
      notRead.push(path);
    }
  }
  return { workflows, notRead };
}

function aboutOf({ about }: RepositoryFacts) {
  return {
    url: about.html_url,
    description: about.description ? cutEndCounted(about.description, MAX_DESCRIPTION) : null,
    visibility: about.private ? 'private' : 'public',
    defaultBranch: about.default_branch,
    isArchived: about.archived,
    isFork: about.fork,
    stars: about.stargazers_count,
    forks: about.forks_count,
    openIssues: about.open_issues_count,
    license: about.license?.spdx_id ?? null,
    topics: about.topics?.slice(0, 20) ?? [],
    createdAt: about.created_at,
    pushedAt: about.pushed_at,
  };
}
