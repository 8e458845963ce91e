import { expect, it } from 'vitest';
import { tailLines } from './tail-lines.ts';

const event = (seq: number, kind: string, data: Readonly<Record<string, unknown>>) => ({
  at: `2026-01-31T10:00:0${seq}.123Z`,
  writer: '0123456789abcdef',
  seq,
  kind,
  data,
});

it('is a table, a call and its outcome in one row', () => {
  const lines = tailLines([
    event(0, 'call.outcome', { intent: 9, ok: true }),
    event(1, 'call.intent', { tool: 'memory_write', client: 'claude', arguments: { size: 9 }, trace: 'ab' }),
    event(2, 'call.intent', { tool: 'submit_task', client: 'claude' }),
    event(3, 'call.outcome', { intent: 1, ok: false, code: 'NEXUS_TIMEOUT' }),
    event(4, 'checkpoint', { number: 3, anchored: ['file'] }),
  ]);
  expect(lines).toEqual([
    'TIME (UTC)           WRITER    WHAT          TOOL          OUTCOME        ABOUT',
    '2026-01-31 10:00:00  01234567  call.outcome  (of event 9)  ok',
    '2026-01-31 10:00:01  01234567  call.intent   memory_write  NEXUS_TIMEOUT  client=claude',
    '2026-01-31 10:00:02  01234567  call.intent   submit_task   none yet       client=claude',
    '2026-01-31 10:00:04  01234567  checkpoint    -             -              number=3',
  ]);
});

it('lets no word of a client steer the terminal', () => {
  expect(tailLines([event(1, 'call.intent', { tool: '\x1b[2Jx' })])[1]).toContain('\\u001b[2Jx');
});
