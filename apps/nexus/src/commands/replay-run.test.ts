import { beforeEach, expect, it, vi } from 'vitest';
import type { RunsRequest } from '../server/answer-runs.ts';

const asked = vi.hoisted(() => ({
  requests: [] as unknown[],
  print: [] as string[],
  goesOn: [] as unknown[],
  left: [] as string[],
  again: [] as unknown[],
}));

vi.mock('../runs/ask-runs.ts', () => ({
  async askRuns(request: RunsRequest) {
    asked.requests.push(request);
    if (request.what === 'failed')
      return {
        runs: asked.left.map(failed),
        total: asked.left.length + 2,
        again: asked.again,
        againTotal: asked.again.length + 1,
      };
    throw new Error('nothing else is asked');
  },
  async askEachAndGoOn(
    requests: { id: string }[],
    _: unknown,
    told: (settled: unknown) => string | undefined,
  ) {
    asked.requests.push(...requests);
    asked.goesOn = requests.map(({ id }) =>
      id === 'run_b'
        ? told({ status: 'rejected', reason: new Error('NEXUS_CONFLICT: others of its key go on') })
        : told({ status: 'fulfilled', value: { id: `${id}_next`, status: 'running' } }),
    );
    return 0;
  },
}));

function failed(id: string) {
  const ended = { status: 'failed', endedAt: '2026-01-01T00:00:00Z', code: 'NEXUS_TIMEOUT', message: 'late' };
  return {
    id,
    kind: 'test.run',
    title: `Work ${id}`,
    ...ended,
    cost: { tokens: 10, costUsd: 0.5 },
    ...(id === 'run_c' ? { unknownCalls: 2 } : {}),
    ...(id === 'run_b' ? { unknown: ['pay'], costAtMost: { tokens: 30, costUsd: 0.5 } } : {}),
    ...(id === 'run_c' ? { doneAgain: ['send'] } : {}),
  };
}

// Files share their modules: another may have loaded it with what that one put in its place.
vi.resetModules();
const { replay } = await import('./replay-run.ts');

beforeEach(() => {
  asked.requests.length = 0;
  asked.print.length = 0;
  asked.left = ['run_a', 'run_b', 'run_c'];
  asked.again = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => asked.print.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

it('tells of each run whether it was begun, and why one was not, and goes on with the others', async () => {
  expect(await replay({ failed: true, kind: 'test.run', yes: true })).toBe(1);
  expect(asked.requests[0]).toMatchObject({
    what: 'failed',
    statuses: ['failed'],
    kind: 'test.run',
    limit: 20,
  });
  expect(asked.requests.slice(1)).toMatchObject(
    ['run_a', 'run_b', 'run_c'].map((id) => ({ what: 'rerun', id, goesOn: true })),
  );
  expect(asked.print.join('')).toBe(
    [
      'run_a goes on in run_a_next, which is running.',
      'run_b was refused: NEXUS_CONFLICT: others of its key go on',
      'run_c goes on in run_c_next, which is running.',
      '2 started, 1 refused.',
      '',
    ].join('\n'),
  );
  expect(asked.goesOn).toEqual(['run_a_next', undefined, 'run_c_next']);
});

it('begins nothing where it is dry, or nobody can be asked', async () => {
  expect(await replay({ cancelled: true, dryRun: true })).toBe(0);
  expect(asked.print.join('')).toMatch(
    /run_c .*at least 10 tokens.*\nand 2 more; --limit takes more\nrun_b: of unknown outcome, told first and done again by who then asks once more: pay\nrun_c: done already, or may be, and not to be done twice; it is done again: send\nIn all: at least 30 tokens, \$1\.5000; not known of 2 calls, or up to 50 tokens, \$1\.5000 if/,
  );
  expect(await replay({ error: 'NEXUS_TIMEOUT' })).toBe(1);
  expect(asked.requests).toMatchObject([
    { what: 'failed', statuses: ['cancelled'] },
    { what: 'failed', statuses: ['failed'], code: 'NEXUS_TIMEOUT' },
  ]);
});

it('says as JSON what would be begun where nobody says yes', async () => {
  expect(await replay({ failed: true, json: true })).toBe(1);
  const left = JSON.parse(asked.print.join(''));
  expect(left).toMatchObject({ runs: [{ id: 'run_a' }, { id: 'run_b' }, { id: 'run_c' }], total: 5 });
  asked.print.length = 0;
  await replay({ failed: true, json: true, dryRun: true });
  expect(JSON.parse(asked.print.join(''))).toEqual(left);
  expect(asked.requests).toMatchObject([{ what: 'failed' }, { what: 'failed' }]);
});

it('names what was run again before, with the run that it goes on in and how that stands', async () => {
  const ofFirst = (id: string, status: string) => ({ id, begun: { id: `${id}_next`, status } });
  asked.again = [ofFirst('run_y', 'completed'), ofFirst('run_z', 'waiting')];
  const named = [
    'Run again before, and left out here:',
    'run_y goes on in run_y_next, which is completed.',
    'run_z goes on in run_z_next, which is waiting.',
    'and 1 more that ended before these; --limit takes more',
    '',
  ].join('\n');
  expect(await replay({ failed: true, dryRun: true })).toBe(0);
  expect(asked.print.join('')).toContain(`and what had not begun\n${named}`);
  asked.left = [];
  asked.print.length = 0;
  expect(await replay({ failed: true, dryRun: true })).toBe(0);
  expect(asked.print.join('')).toBe(`No run that came to nothing is left to be run again.\n${named}`);
  asked.print.length = 0;
  expect(await replay({ failed: true, yes: true, json: true })).toBe(0);
  expect(JSON.parse(asked.print.join(''))).toEqual({
    replayed: [],
    total: 2,
    again: asked.again,
    againTotal: 3,
  });
});

it('refuses options that say nothing that can be looked for', async () => {
  await expect(replay({ yes: true })).rejects.toThrow('say which runs');
  await expect(replay({ failed: true, error: 'TIMEOUT' })).rejects.toThrow('--error must be a code');
  await expect(replay({ failed: true, since: 'today' })).rejects.toThrow('--since must be');
  expect(asked.requests).toEqual([]);
});
