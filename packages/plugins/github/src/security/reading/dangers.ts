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
const PIPED_BY_POWERSHELL =
  /\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring)\b[^\n;]{0,500}?\|[ \t]*(?:iex|invoke-expression)\b|\b(?:iex|invoke-expression)\b[^\n;]{0,50}\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b/i;
const SUBSTITUTED =
  /(?:\b(?:(?:ba|z|da|k)?sh|python[23]?|perl|ruby|node)\b[^\n]{0,50}|\b(?:eval|source)\b[ \t]{0,10})(?:<\(|["']?\$\()[ \t]*(?:curl|wget)\b/;
const DOWNLOADS = /\b(?:curl|wget)\b/;
/** The file that a download is written to: one that is named, or by the last part of the address. */
const WRITTEN_TO =
  /\s(?:-o|-O|--output|--output-document)[ =]?["']?([\w./-]{1,200})|:\/\/[^\s"'?#]{1,500}\/([\w.-]{1,200})/g;
const RUNS = /^(?:(?:ba|z|da|k)?sh|python[23]?|perl|ruby|node|source|\.)$/;
/** What was downloaded is held against something. */
const CHECKS = /\b(?:sha\d{1,3}sum|shasum|gpgv?|cosign|minisign|slsa-verifier|get-filehash)\b/i;

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

const COMMIT = /@[\da-f]{40}$/;
/** Of an image. */
const DIGEST = /@sha256:[\da-f]{64}$/;

function unpinned({ jobs, steps }: Workflow): Danger[] {
  const uses = [...jobs, ...steps].map((each) => each.uses).filter((name) => name !== '');
  const loose = uses.filter(
    (name) => !name.startsWith('./') && !(name.startsWith('docker://') ? DIGEST : COMMIT).test(name),
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
    const isPiped = (line: string) =>
      PIPED.test(line) || PIPED_BY_POWERSHELL.test(line) || SUBSTITUTED.test(line);
    return commands.some(isPiped) || runsWhatItWrote(commands);
  });
  if (!found) return [];
  const what = 'It runs what it downloads, unchecked, in a shell (curl … | sh).';
  return [{ id: 'download-run-unchecked', severity: 'medium', what }];
}

/** Whether a file is downloaded and then run, with nothing that checks it. */
function runsWhatItWrote(lines: readonly string[]): boolean {
  if (lines.some((line) => CHECKS.test(line))) return false;
  const names = new Set<string>();
  for (const line of lines) {
    for (const command of line.split(/&&|\|\||;/)) {
      if (DOWNLOADS.test(command)) {
        for (const [, name, last = ''] of command.matchAll(WRITTEN_TO))
          names.add(withoutFolder(name ?? last));
        continue;
      }
      const words = command
        .trim()
        .split(/\s+/)
        .map((word) => word.replace(/^["']|["']$/g, ''));
      const [program = '', ...given] = words[0] === 'sudo' ? words.slice(1) : words;
      const run = RUNS.test(program) ? given.find((word) => !word.startsWith('-')) : program;
      if (run !== undefined && names.has(withoutFolder(run))) return true;
    }
  }
  return false;
}

function withoutFolder(path: string): string {
  return path.replace(/^\.\//, '');
}
