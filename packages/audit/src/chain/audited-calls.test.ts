import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { call, madeTrail } from '../../test/made-trail.ts';
import { auditedCalls } from './audited-calls.ts';

async function all(trail: string, moment = 0) {
  const found = [];
  for await (const each of auditedCalls(trail, moment)) found.push(each);
  return found;
}

it('has each call with its outcome, those without one last, and no torn line', async () => {
  using made = madeTrail();
  const trail = await made.begin();
  call(trail, 'memory_write');
  const intent = trail.append({
    kind: 'call.intent',
    data: { tool: 'send_message', run: 'run_1' },
  });
  trail.append({ kind: 'call.intent', data: { tool: 'still_running' } });
  trail.append({ kind: 'call.outcome', data: { intent, ok: false, code: 'NEXUS_DENIED' } });
  trail.append({ kind: 'way.opened', data: {} });
  appendFileSync(made.files()[0] ?? '', '{"kind":"call.intent","data"\n');
  expect(await all(made.trail)).toMatchObject([
    { tool: 'memory_write', code: undefined, endMs: expect.any(Number) },
    { tool: 'send_message', code: 'NEXUS_DENIED', run: 'run_1' },
    { tool: 'still_running', endMs: undefined },
  ]);
  expect(await all(made.trail, Date.now() + 60_000)).toEqual([]);
  await trail.close();
});
