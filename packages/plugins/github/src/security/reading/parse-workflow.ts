import { ToolError } from '@nexus/plugin-sdk';
import { parseDocument } from 'yaml';

type Members = Readonly<Record<string, unknown>>;

export interface Step {
  readonly uses: string;
  /** What a shell runs, or `actions/github-script`. */
  readonly script: string;
  /** What the action is given. */
  readonly given: Members;
  /** What it can read as `env`, from the workflow and the job as well. */
  readonly env: Members;
}

/** What of a workflow says what it may do. */
export interface Workflow {
  readonly triggers: readonly string[];
  /** Of the workflow; undefined where it states none. */
  readonly permissions: unknown;
  readonly jobs: readonly { readonly permissions: unknown; readonly uses: string }[];
  readonly steps: readonly Step[];
}

/** GitHub starts none that is longer than 512 KB. */
const MAX_WORKFLOW_CHARACTERS = 512 * 1024;
const MAX_ALIASES = 100;

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS where GitHub would not start it either */
export function parseWorkflow(text: string): Workflow {
  const whole = membersOf(parsed(text));
  const jobs = Object.values(membersOf(whole.jobs)).map(membersOf);
  const triggers = triggersOf(whole.on);
  if (jobs.length === 0 || triggers.length === 0) throw noWorkflow('it has no jobs, or nothing starts it');
  return {
    triggers,
    permissions: statedIn(whole),
    jobs: jobs.map((job) => ({ permissions: statedIn(job), uses: textOf(job.uses) })),
    steps: jobs.flatMap((job) =>
      listOf(job.steps).map((each): Step => {
        const step = membersOf(each);
        const given = membersOf(step.with);
        const uses = textOf(step.uses);
        const script = uses.startsWith('actions/github-script@') ? textOf(given.script) : textOf(step.run);
        return {
          uses,
          script,
          given,
          env: { ...membersOf(whole.env), ...membersOf(job.env), ...membersOf(step.env) },
        };
      }),
    ),
  };
}

function parsed(text: string): unknown {
  if (text.length > MAX_WORKFLOW_CHARACTERS)
    throw noWorkflow(`it has more than ${MAX_WORKFLOW_CHARACTERS} characters`);
  const document = parseDocument(text, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault) throw noWorkflow(fault.message);
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw noWorkflow(error instanceof Error ? error.message : String(error));
  }
}

function noWorkflow(why: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', `It is no workflow: ${why}`);
}

/** Null where the key stands there alone, which states something too. */
function statedIn(members: Members): unknown {
  return 'permissions' in members ? members.permissions : undefined;
}

function triggersOf(on: unknown): string[] {
  if (typeof on === 'string') return [on];
  return Array.isArray(on) ? on.map(textOf) : Object.keys(membersOf(on));
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
