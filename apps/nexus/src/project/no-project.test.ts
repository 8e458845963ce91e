import type { Caller, CallRequest, Dispatcher } from '@nexus/core';
import { expect, it } from 'vitest';
import { withoutRoot } from './no-project.ts';

const request: CallRequest = { params: { name: 'any' }, signal: new AbortController().signal };

it.each(['call', 'startTask', 'callAgain'] as const)(
  'a tool reached by %s gets no folder that is no project, and the fault where there is no other',
  async (way) => {
    const got: unknown[] = [];
    const take = async ({ roots }: Caller) => {
      got.push(await roots().catch(({ code, message }) => ({ code, message })));
    };
    const inner = { call: take, startTask: take, callAgain: take } as unknown as Dispatcher; // no more of it is used
    const outer = withoutRoot(inner, '/', 'no project');
    const caller = (...paths: string[]) =>
      ({ roots: async () => paths.map((path) => ({ path, name: path })) }) as unknown as Caller; // as above
    await outer[way](caller('/'), request);
    await outer[way](caller('/', '/mine'), request);
    expect(got).toEqual([
      { code: 'NEXUS_UNAVAILABLE', message: 'no project' },
      [{ path: '/mine', name: '/mine' }],
    ]);
  },
);
