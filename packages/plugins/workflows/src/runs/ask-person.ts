import type { Answer, Question, RunContext } from '@nexus/plugin-sdk';
import { durationMs } from '../definition/durations.ts';
import { type AskedField, askWith } from '../definition/uses.ts';
import type { WorkToDo } from './do-work.ts';
import { fitting } from './fitting.ts';
import { lineBefore } from './in-its-words.ts';

/** What a person said: `action` is `accept`, `decline`, or `cancel` where nobody answered in time. */
export interface PersonsAnswer {
  readonly action: Answer['action'];
  /** By field; empty where there are none, and of a no. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** How its question is called within its step. */
export const ASKED = 'asks';

/** Asks whoever is there for the run, through restarts; a no is an answer too, and no failure. */
export async function askPerson(
  run: RunContext,
  { work, given }: Pick<WorkToDo, 'work' | 'given'>,
): Promise<PersonsAnswer> {
  const { message, fields, subject, expireAfter } = fitting(askWith, work, given);
  const timeoutMs = expireAfter === undefined ? undefined : durationMs(expireAfter);
  const line = lineBefore(message, fields);
  const question: Question = {
    message: line === undefined ? message : `${line}\n${message}`,
    ...(fields.length === 0 ? {} : { requestedSchema: schemaOf(fields) }),
    ...(subject === undefined || subject === null ? {} : { subject }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const { action, content = {} } = await run.ask(ASKED, question);
  return { action, content: action === 'accept' ? content : {} };
}

/** As MCP's elicitation has it: a flat object of primitives. */
function schemaOf(fields: readonly AskedField[]): Record<string, unknown> {
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type, title, description, options, default: value }) => [
        name,
        {
          type,
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
          ...(options === undefined ? {} : { enum: options }),
          ...(value === undefined ? {} : { default: value }),
        },
      ]),
    ),
    required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}
