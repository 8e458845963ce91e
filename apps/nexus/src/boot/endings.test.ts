import { expect, it, vi } from 'vitest';
import { createEndings } from './endings.ts';

const log = { debug() {}, info() {}, warn() {}, error: vi.fn() };

it('ends what began last first, each once, and goes on past what fails', async () => {
  const ended: string[] = [];
  const endings = createEndings(log);
  endings.add('the store', () => ended.push('store'));
  endings.add('a plugin that rejects', () => Promise.reject(new Error('no')));
  endings.add('a plugin that throws', () => {
    throw new Error('never');
  });
  endings.add('the sessions', async () => ended.push('sessions'));
  await endings.run();
  await endings.run();
  expect(ended).toEqual(['sessions', 'store']);
  expect(log.error.mock.calls.map(([message]) => message)).toEqual([
    'a plugin that throws did not end as it should',
    'a plugin that rejects did not end as it should',
  ]);
});
