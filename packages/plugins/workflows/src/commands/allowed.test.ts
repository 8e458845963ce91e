import type { Programs } from '@nexus/plugin-sdk';
import { ToolError } from '@nexus/plugin-sdk';
import { programs } from '@nexus/testing';
import { expect, it, vi } from 'vitest';
import { runAllowed } from './allowed.ts';

const options = {
  commands: { test: ['pnpm', 'test'] },
  commandEnvironment: ['DATABASE'],
  commandTimeoutMs: 5_000,
};
const passed = { outcome: 'passed', exitCode: 0, output: '', durationMs: 1 } as const;

function under(run: Programs['run']) {
  const spy = vi.fn(run);
  const signal = new AbortController().signal;
  return { run: spy, at: { cwd: '/tree', signal, programs: { ...programs, run: spy } } };
}

it('runs what the config names, with its variables and its time', async () => {
  const { run, at } = under(async () => passed);
  expect(await runAllowed(options, 'test', at)).toEqual(passed);
  expect(run.mock.calls[0]?.[0]).toMatchObject({
    command: ['pnpm', 'test'],
    cwd: '/tree',
    environment: ['DATABASE'],
    timeoutMs: 5_000,
  });
});

it.each(['other', 'constructor', '__proto__'])(
  'runs nothing for %s, which is not in the list',
  async (name) => {
    const { run, at } = under(async () => passed);
    await expect(runAllowed(options, name, at)).rejects.toMatchObject({ code: 'NEXUS_DENIED' });
    expect(run).not.toHaveBeenCalled();
  },
);

it('has failed where its program can’t be started, and says so', async () => {
  const { at } = under(async () => {
    throw new ToolError('NEXUS_UNAVAILABLE', '"pnpm" can\'t be started');
  });
  const { outcome, output } = await runAllowed(options, 'test', at);
  expect([outcome, output]).toEqual(['failed', '"pnpm" can\'t be started']);
});
