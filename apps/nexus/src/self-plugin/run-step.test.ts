import type { Host } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { runStep } from './resources/run-step.ts';

it('finds a step by its name as a URI has it, for who may see the run', async () => {
  const asked: unknown[] = [];
  const outputOf = async (...call: unknown[]) => {
    asked.push(call);
    return { text: 'whole' };
  };
  const context = { host: { runs: { outputOf } } as unknown as Host, user: 'ada' } as Parameters<
    typeof runStep.read
  >[1];
  const read = (step: string) => runStep.read({ id: 'run_1', step }, context);
  expect(JSON.parse(String(await read('visit%231%2Fmodel%201')))).toEqual({ text: 'whole' });
  expect(asked).toEqual([['run_1', 'visit#1/model 1', { user: 'ada' }]]);
  await expect(read('%')).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
});
