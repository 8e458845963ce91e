import type { RunningDownstreams, ToolboxSource } from '@nexus/downstream';
import type { SessionScope } from '@nexus/plugin-sdk';
import { noDownstreams } from '@nexus/server';
import { scopeOf } from '@nexus/testing';
import { expect, it, vi } from 'vitest';
import { lazyDownstreams } from './lazy-downstreams.ts';

const visit = { environment: {}, isResumed: false };

/** One toolbox, and what is told to the machinery once it is loaded. */
function under({ autoOpen }: { autoOpen: boolean }) {
  const source: ToolboxSource = {
    toolMode: 'dynamic',
    toolboxes: [{ name: 'dev', description: '', autoOpen, servers: ['a'] }],
    settings: () => ({ description: '', autoOpen, prefix: true, mcpServers: {}, faults: [] }),
  };
  const told: string[] = [];
  const machinery = {
    ...noDownstreams,
    startSession: ({ id }: SessionScope) => void told.push(`start ${id}`),
    setLogLevel: async ({ id }: SessionScope, level: string) => void told.push(`level ${id} ${level}`),
    ready: async ({ id }: SessionScope) => void told.push(`ready ${id}`),
    list: async () => [],
    stop: async () => void told.push('stop'),
  } as unknown as RunningDownstreams;
  const load = vi.fn(async () => machinery);
  return { downstreams: lazyDownstreams(source, load), load, told };
}

it('is not loaded for sessions that have nothing open', async () => {
  const { downstreams, load } = under({ autoOpen: false });
  downstreams.startSession(scopeOf('a'), visit);
  expect(downstreams.ready(scopeOf('a'))).toBeUndefined();
  expect(await downstreams.resources(scopeOf('a'))).toEqual([]);
  await downstreams.stop();
  expect(load).not.toHaveBeenCalled();
});

it('learns of every open session when it is first asked for something', async () => {
  const { downstreams, load, told } = under({ autoOpen: false });
  for (const id of ['a', 'b', 'c']) downstreams.startSession(scopeOf(id), visit);
  await downstreams.setLogLevel(scopeOf('b'), 'debug');
  await scopeOf('c').end();
  await downstreams.list([], scopeOf('a'));
  expect(told).toEqual(['start a', 'start b', 'level b debug']);
  await downstreams.list([], scopeOf('b'));
  await downstreams.stop();
  expect(load).toHaveBeenCalledOnce();
  expect(told.at(-1)).toBe('stop');
});

it.each([
  ['a toolbox opens by itself', { autoOpen: true }, visit],
  ['another server served the session', { autoOpen: false }, { ...visit, isResumed: true }],
])(
  'holds the first answers back until a session has what it is to have, where %s',
  async (_what, box, how) => {
    const { downstreams, told } = under(box);
    downstreams.startSession(scopeOf('a'), how);
    await downstreams.ready(scopeOf('a'));
    expect(told.slice(0, 2)).toEqual(['start a', 'ready a']);
  },
);
