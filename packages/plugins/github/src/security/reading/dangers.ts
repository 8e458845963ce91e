import { counted } from '@nexus/primitives';
import type { Step, Workflow } from './parse-workflow.ts';
import { untrustedIn } from './untrusted-input.ts';

export type Danger = {
  readonly id: string;
  readonly severity: 'high' | 'medium' | 'low';
  readonly what: string;
};

export interface WorkflowFacts {
  readonly dangers: readonly Danger[];
  readonly scansCode: boolean;
  readonly scansForSecrets: boolean;
}

/** Starts a workflow with the repository’s secrets, whoever causes it. */
const PRIVILEGED = ['pull_request_target', 'workflow_run', 'issue_comment'];
/** A pull request’s code, as an expression names it. */
const FOREIGN_CODE = /head_ref|head\.(?:sha|ref)|head_(?:sha|branch|commit)|merge_commit_sha|refs\/pull\//i;
/** What is downloaded goes into a shell. */
const PIPED =
  /\b(?:curl|wget)\b[^\n;]{0,500}?(?<!\|)\|&?[ \t]*(?:sudo\s(?:-\S{1,50}\s)?)?(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh\b/;
const SUBSTITUTED =
  /(?:\b(?:ba|z|da|k)?sh\b[^\n]{0,50}|\b(?:eval|source)\b[ \t]{0,10})(?:<\(|["']?\$\()[ \t]*(?:curl|wget)\b/;

export function dangersOf(workflow: Workflow): WorkflowFacts {
  const { steps } = workflow;
  const does = (pattern: RegExp) =>
    steps.some(({ uses, script }) => pattern.test(uses) || pattern.test(script));
  const found = [
    unpinned(workflow),
    permissions(workflow),
    foreignCode(workflow),
    injection(steps),
    piped(steps),
  ];
  return {
    dangers: found.flat(),
    scansCode:
      does(/github\/codeql-action|semgrep|sonar/i) ||
      workflow.jobs.some(({ uses }) => /codeql|semgrep|sonar/i.test(uses)),
    scansForSecrets:
      does(/gitleaks|trufflehog|detect-secrets/i) ||
      workflow.jobs.some(({ uses }) => /gitleaks|trufflehog|detect-secrets/i.test(uses)),
  };
}

function unpinned({ jobs, steps }: Workflow): Danger[] {
  const uses = [...jobs, ...steps].map((each) => each.uses).filter((name) => name !== '');
  const loose = uses.filter(
    (name) => !name.startsWith('./') && !name.startsWith('docker://') && !/@[\da-f]{40}$/.test(name),
  );
  if (loose.length === 0) return [];
  const shown = [...new Set(loose)].slice(0, 5).map((name) => name.slice(0, 200));
  const what = `${loose.length} of ${counted(uses.length, 'action')} ${loose.length === 1 ? 'is' : 'are'} named by a tag or branch, which can be moved: ${shown.join(', ')}.`;
  return [{ id: 'unpinned-actions', severity: 'medium', what }];
}

function permissions({ permissions: own, jobs }: Workflow): Danger[] {
  const inForce = jobs.map((job) => (job.permissions === undefined ? own : job.permissions));
  const gaps: Danger[] = [];
  if (inForce.includes(undefined)) {
    gaps.push({
      id: 'default-token-permissions',
      severity: 'medium',
      what: 'It states no permissions, or not for each job, so its token has the repository’s default ones.',
    });
  }
  if (inForce.includes('write-all')) {
    gaps.push({
      id: 'write-all-permissions',
      severity: 'medium',
      what: 'Its token may write everything (permissions: write-all).',
    });
  }
  return gaps;
}

function foreignCode({ triggers, steps }: Workflow): Danger[] {
  const by = triggers.filter((trigger) => PRIVILEGED.includes(trigger));
  if (by.length === 0 || !steps.some(takesForeignCode)) return [];
  const what = `It is started with the repository’s secrets by ${by.join(' and ')}, and checks out a pull request’s code.`;
  return [{ id: 'checkout-of-foreign-code', severity: 'high', what }];
}

function takesForeignCode({ uses, given, script, env }: Step): boolean {
  if (/\bgh pr checkout\b/.test(script)) return true;
  if (!uses.startsWith('actions/checkout@')) return false;
  const named = [given.ref, given.repository].map((value) => String(value ?? ''));
  const variables = Object.entries(env).flatMap(([name, value]) =>
    named.some((text) => text.includes(`env.${name}`)) ? String(value) : [],
  );
  return (
    [...named, ...variables].some((text) => FOREIGN_CODE.test(text)) ||
    /head\.repo|head_repo/.test(named[1] ?? '')
  );
}

function injection(steps: readonly Step[]): Danger[] {
  const found = steps.flatMap(({ script, env }) => untrustedIn(script, env) ?? [])[0];
  if (found === undefined) return [];
  const what = `It puts text that anybody may write where a shell or a script reads it as code: ${found.slice(0, 200)}. Passed by env, it would be data.`;
  return [{ id: 'script-injection', severity: 'high', what }];
}

function piped(steps: readonly Step[]): Danger[] {
  const found = steps.some(({ script }) => {
    const commands = script
      .replaceAll(/\\\r?\n/g, ' ')
      .split('\n')
      .filter((line) => !line.trimStart().startsWith('#'));
    return commands.some((line) => PIPED.test(line) || SUBSTITUTED.test(line));
  });
  if (!found) return [];
  const what = 'It runs what it downloads, unchecked, in a shell (curl … | sh).';
  return [{ id: 'download-run-unchecked', severity: 'medium', what }];
}
