import { ToolError } from '../../tool-error.ts';
import type { AskedQuestion } from '../question.ts';
import type { Run } from '../runs.ts';

/**
 * What a call answers whose run waits for a person. The run goes on by itself once it is answered, whichever way;
 * the state is all that another call needs to wait for it again.
 */
export function inputRequired({ id, asks = [] }: Pick<Run, 'id' | 'asks'>): ToolError {
  const text = [
    `Run ${id} waits for the answer of a person, and the client of this call gave none.`,
    ...asks.map(words),
    `\`nexus runs ${id}\` shows how it is answered. The run then goes on by itself: call resume_run with its runId, or the same tool with the same idempotencyKey, to wait for it.`,
  ];
  return new ToolError('NEXUS_INPUT_REQUIRED', text.join('\n'), {
    detail: { runId: id, status: 'waiting', state: id, requests: Object.fromEntries(asks.map(request)) },
  });
}

/**
 * The same of a job that waits, in its line of a list: what is asked comes after how it is answered, since it may be
 * long.
 */
export function inputRequiredWords([first, ...more]: readonly AskedQuestion[]): string {
  if (!first) return '';
  const besides = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `Run ${first.runId} waits for the answer of a person: \`nexus runs ${first.runId}\` shows how it is answered. ${words(first)}${besides}`;
}

function words({ message, subject, digest, expiresAt }: AskedQuestion): string {
  const exactly = digest === undefined ? '' : ` (a yes is for digest ${digest}: ${JSON.stringify(subject)})`;
  const until = expiresAt === undefined ? '' : `, until ${expiresAt}`;
  return `It asks${until}: ${message}${exactly}`;
}

function request({ runId, name, message, requestedSchema, subject, digest, expiresAt }: AskedQuestion) {
  return [
    `${runId}/${name}`,
    {
      runId,
      name,
      message,
      ...(requestedSchema === undefined ? {} : { requestedSchema }),
      ...(digest === undefined ? {} : { subject, digest }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  ] as const;
}
