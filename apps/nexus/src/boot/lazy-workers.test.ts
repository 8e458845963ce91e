import { expect, it } from 'vitest';
import { lazyWorkers } from './lazy-workers.ts';

const module = new URL('../../../../packages/untrusted/test/fixtures/obedient.ts', import.meta.url);
const limits = () => ({ signal: AbortSignal.timeout(30_000), timeLimitMs: 20_000 });

it('does tasks one after the other in the threads of one pool', async () => {
  const workers = lazyWorkers();
  const pool = workers.pool<object, { readonly threadId: number }>({ module, threads: 1 });
  const answers = await Promise.all([
    pool.run({ do: 'answer' }, limits()),
    pool.run({ do: 'answer' }, limits()),
  ]);
  await workers.close();
  const [one, other] = answers.map((each) => (each.fault ? undefined : each.answer.threadId));
  expect(one).toBeGreaterThan(0);
  expect(other).toBe(one);
  await expect(pool.run({ do: 'answer' }, limits())).rejects.toThrow('closed');
});

it('begins no thread once it is closed, though nobody had asked for one', async () => {
  const workers = lazyWorkers();
  await workers.close();
  const pool = workers.pool({ module });
  await expect(pool.run({ do: 'answer' }, limits())).rejects.toThrow('closed');
});
