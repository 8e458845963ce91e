import { expect } from 'vitest';
import { deservedAnswer, faultyLines, seededRandom } from '../harness/faulty-lines.ts';
import { makeProject } from '../harness/project.ts';
import type { Message } from '../harness/session.ts';
import { verifiesAnew } from '../harness/verifies.ts';

const SEED = 20_251_125;
const COUNT = 10_000;

const limits = { burst: 100_000, callsPerSecond: 10_000 };
const isAnswer = ({ method }: Message) => method === undefined;

/** What a line is refused with before its method and params are looked at; several lines share an id. */
const REFUSALS: readonly unknown[] = [-32700, -32600];

/** How often each id was answered: each refusal, and anything else. */
function tally(answers: readonly { id?: unknown; code?: number | undefined }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { id, code } of answers) {
    const key = JSON.stringify([id ?? null, REFUSALS.includes(code) ? code : 'other']);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

verifiesAnew('lines.faulty', 'answers each of 10 000 mutated lines as it deserves', async (way) => {
  await using project = await makeProject({ slowPlugin: true, config: { limits } });
  await using server = await way.open(project);
  const { session } = server;
  const before = session.received.length;
  const lines = faultyLines(COUNT, seededRandom(SEED));
  const deserved = lines.map(deservedAnswer).filter((answer) => answer !== undefined);
  expect(deserved.length).toBeGreaterThan(COUNT / 2);
  expect(deserved.filter(({ code }) => code === undefined).length).toBeGreaterThan(COUNT / 10);

  for (const line of lines) session.sendLine(line);
  let missing = deserved.length + before;
  await session.waitFor((message) => isAnswer(message) && --missing === 0);
  const { result } = await session.call('slow_echo', { text: 'still here' });
  expect(result.structuredContent.text).toBe('still here');

  const answers = session.received.slice(before, -1).filter(isAnswer);
  const given = answers.map(({ id, error }) => ({ id, code: error?.code }));
  expect(tally(given)).toEqual(tally(deserved));
});

const FAULTY = [
  ['no JSON', '{"jsonrpc":', { id: null, code: -32700 }],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { id: null, code: -32600 }],
  ['another version', '{"jsonrpc":"1.0","id":2,"method":"ping"}', { id: 2, code: -32600 }],
  ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', { id: null, code: -32600 }],
  ['params that are a list', '{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}', { id: 3, code: -32602 }],
  [
    'nesting without end',
    `{"jsonrpc":"2.0","id":4,"method":"ping","params":${'['.repeat(100_000)}`,
    { id: 4, code: -32600 },
  ],
] as const;

verifiesAnew('lines.faulty', 'names what is wrong with a line, and goes on', async (way) => {
  await using project = await makeProject();
  await using server = await way.open(project);
  const { session } = server;
  for (const [name, line, { id, code }] of FAULTY) {
    const seen = session.received.length;
    session.sendLine(line);
    await session.ask('ping');
    const answers = session.received.slice(seen, -1);
    expect(answers, name).toEqual([
      { jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(/.{10}/) } },
    ]);
  }
});

verifiesAnew('lines.faulty', 'refuses a line over the limit under its id, and goes on', async (way) => {
  const config = { limits: { maxMessageBytes: 100_000, maxResultChars: 200_000 } };
  await using project = await makeProject({ slowPlugin: true, config });
  await using server = await way.open(project);
  const { error } = await server.session.call('slow_echo', { text: 'x'.repeat(200_000) });
  expect(error).toMatchObject({ code: -32600, message: expect.stringContaining('100000 bytes') });
  const { result } = await server.session.call('slow_echo', { text: 'x'.repeat(50_000) });
  expect(result.structuredContent.text).toHaveLength(50_000);
});

verifiesAnew(
  'lines.faulty',
  'takes lines with carriage returns, blank lines and unknown members',
  async (way) => {
    await using project = await makeProject();
    await using server = await way.open(project);
    const { session } = server;
    session.sendLine('');
    session.sendLine(' \t\r');
    session.sendLine('{"jsonrpc":"2.0","id":"odd","method":"ping","extra":{"member":1}}\r');
    const { result } = await session.waitFor(({ id }) => id === 'odd');
    expect(result).toEqual({});
  },
);
