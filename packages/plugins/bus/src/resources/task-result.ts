import type { ResourceTemplateDefinition } from '@nexus/plugin-sdk';
import type { BusState } from '../bus.ts';
import { findTask } from '../tasks/read-tasks.ts';

export const resultUri = (taskId: string) => `nexus://tasks/${taskId}/result`;

export const taskResult = {
  uriTemplate: 'nexus://tasks/{taskId}/result',
  name: 'task-result',
  title: 'A task’s result',
  description:
    'What complete_task was given: a text as it is, anything else as JSON. read_result reads it in parts.',
  mimeType: 'text/plain',
  async read({ taskId = '' }, { state }) {
    const { result } = await findTask(await state.open(), taskId);
    const value = JSON.parse(result ?? 'null') as unknown;
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  },
} satisfies ResourceTemplateDefinition<BusState>;
