import { afterEach, expect, it, vi } from 'vitest';
import { createRoots } from './roots.ts';

afterEach(() => void vi.useRealTimers());

const log = { debug() {}, info() {}, warn() {}, error() {} };
const project = { path: '/no/such/project', name: 'project' };
const capabilities = () => ({ roots: {} });

it('asks a client again that did not answer in time', async () => {
  vi.useFakeTimers();
  const answers = [
    (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    async () => ({ roots: [{ uri: 'file:///' }] }),
  ];
  const request = vi.fn((_method, _params, { signal }) => answers[request.mock.calls.length - 1]?.(signal));
  const roots = createRoots(
    { peer: { request: request as never }, trust: 'user', capabilities },
    project,
    log,
  );
  const late = roots.list();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await late).toEqual([project]);
  const [, ...others] = await roots.list();
  expect(others).toMatchObject([{ path: '/' }]);
  await roots.list();
  expect(request).toHaveBeenCalledTimes(2);
});

it('takes the first hundred of more roots, and says so', async () => {
  const warn = vi.fn();
  const request = async () => ({ roots: Array.from({ length: 130 }, () => ({ uri: 'file:///' })) });
  const client = { peer: { request: request as never }, trust: 'user', capabilities } as const;
  const [, ...others] = await createRoots(client, project, { ...log, warn }).list();
  expect(others).toHaveLength(100);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'the client names 130 roots, and the first 100 are taken; have it name a folder above them',
  );
});

it('takes a client that refuses at its word', async () => {
  const request = vi.fn(async () => {
    throw new Error('no');
  });
  const roots = createRoots({ peer: { request }, trust: 'user', capabilities }, project, log);
  await roots.list();
  expect(await roots.list()).toEqual([project]);
  expect(request).toHaveBeenCalledTimes(1);
});
