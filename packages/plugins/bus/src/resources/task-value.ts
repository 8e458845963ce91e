import { type ResourceTemplateDefinition, ToolError } from '@nexus/plugin-sdk';
import type { BusState } from '../bus.ts';
import { findTask } from '../tasks/read-tasks.ts';

/** What of a task may be long. */
const LONG_PARTS = ['payload', 'result', 'progress'] as const;
export type LongPart = (typeof LONG_PARTS)[number];

export const valueUri = (taskId: string, part: LongPart) => `nexus://tasks/${taskId}/${part}`;

/** A value as it is read. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

export const taskValue = {
  uriTemplate: 'nexus://tasks/{taskId}/{part}',
  name: 'task-value',
  title: 'What a task was given, or came to',
  description:
    'payload, result or progress of a task: a text as it is, anything else as JSON. read_result reads it in parts.',
  mimeType: 'text/plain',
  async read({ taskId = '', part: name = '' }, { state }) {
    const part = LONG_PARTS.find((each) => each === name);
    if (!part) throw new ToolError('NEXUS_NOT_FOUND', `A task has ${LONG_PARTS.join(', ')}, and no ${name}.`);
    const { [part]: text } = await findTask(await state.openToRead(), taskId);
    return valueText(JSON.parse(text ?? 'null'));
  },
} satisfies ResourceTemplateDefinition<BusState>;
