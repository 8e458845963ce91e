import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe('of folders that are there', () => {
  let folder: string;
  let there: { path: string; name: string };
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-roots-')));
    there = { path: join(folder, 'project'), name: 'project' };
    for (const part of ['project/a/b', 'project-2', 'other'])
      mkdirSync(join(folder, part), { recursive: true });
    symlinkSync(join(folder, 'project/a'), join(folder, 'link'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const uri = (path: string) => pathToFileURL(join(folder, path)).href;
  const asked = (trust: 'user' | 'network', answer: unknown, warn = vi.fn()) => {
    const request = vi.fn(async () => answer);
    const client = { peer: { request: request as never }, trust, capabilities } as const;
    return { request, warn, roots: createRoots(client, there, { ...log, warn }) };
  };

  it('a client that runs as this user adds those that are there, each by its real path and with its name', async () => {
    const { roots } = asked('user', {
      roots: [
        { uri: uri('project') },
        { uri: uri('link'), name: 'mine' },
        { uri: uri('other'), name: 1 },
        { uri: uri('none') },
        { uri: 'https://x/y' },
        { uri: 5 },
        { uri: { href: uri('a'), protocol: 'file:', hostname: '', pathname: folder } },
        null,
      ],
    });
    const all = [
      there,
      { path: join(folder, 'project/a'), name: 'mine' },
      { path: join(folder, 'other'), name: 'other' },
    ];
    expect(await roots.list()).toEqual(all);
    expect(await roots.told()).toEqual(all);
    expect(await roots.narrowed()).toBeUndefined();
  });

  it.each([
    ['those inside of it', ['link', 'project/a/b', 'project/none'], ['a', 'a/b']],
    ['those inside of it, whatever else is here', ['project/a', 'other'], ['a']],
  ])('one that came by the network narrows the project to %s', async (_, named, parts) => {
    const { roots } = asked('network', { roots: named.map((path) => ({ uri: uri(path), name: path })) });
    const left = parts.map((part) => expect.objectContaining({ path: join(folder, 'project', part) }));
    expect(await roots.list()).toEqual(left);
    expect(Object.keys((await roots.told())[0] ?? {})).toEqual(['path', 'name']);
    expect(await roots.narrowed()).toEqual(parts.map((part) => join(part)));
  });

  it.each([
    ['the project itself', ['project', 'project/a']],
    ['what holds it', ['other', '.', 'project/a']],
    ['what is not on this machine', ['none', 'none/project']],
    ['nothing', []],
  ])('one that came by the network leaves the project whole where it names %s', async (_, named) => {
    const { roots } = asked('network', { roots: named.map((path) => ({ uri: uri(path) })) });
    expect(await roots.list()).toEqual([there]);
    expect(await roots.narrowed()).toBeUndefined();
  });

  it.each([
    ['what is here and outside', ['other']],
    ['what begins with its name', ['project-2']],
    ['a part that is not there', ['project/none']],
  ])('one that came by the network has nothing of the project where it names %s', async (_, named) => {
    const { roots } = asked('network', { roots: named.map((path) => ({ uri: uri(path) })) });
    await expect(roots.list()).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
    expect(await roots.told()).toEqual([]);
    expect(await roots.narrowed()).toEqual([]);
  });

  it('one that came by the network narrows the project, whatever stands beside the roots that are folders', async () => {
    const { roots, warn } = asked('network', {
      roots: ['x', { uri: 'https://x/y' }, { uri: 5 }, { uri: uri('project/a') }],
    });
    expect(await roots.narrowed()).toEqual(['a']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('no path that is not there holds the project, though it would be above it', async () => {
    const gone = { path: join(folder, 'gone/project'), name: 'project' };
    const request = async () => ({
      roots: [{ uri: pathToFileURL(dirname(gone.path)).href }, { uri: uri('other') }],
    });
    const client = { peer: { request: request as never }, trust: 'network', capabilities } as const;
    expect(await createRoots(client, gone, log).told()).toEqual([]);
  });

  it('is asked for its roots once, and again after it says that they changed', async () => {
    const { roots, request } = asked('user', { roots: [] });
    await roots.list();
    await roots.told();
    expect(request).toHaveBeenCalledExactlyOnceWith('roots/list', undefined, {
      signal: expect.objectContaining({ aborted: false }),
    });
    roots.changed();
    await roots.list();
    expect(request).toHaveBeenCalledTimes(2);
  });

  it('is not asked where it declares none', async () => {
    const { request } = asked('user', {});
    const client = { peer: { request: request as never }, trust: 'user', capabilities: () => ({}) } as const;
    expect(await createRoots(client, there, log).list()).toEqual([there]);
    expect(request).not.toHaveBeenCalled();
  });

  it('has the project alone where its answer has no list, and it is said', async () => {
    const { roots, warn } = asked('user', { roots: { 0: { uri: uri('other') }, length: 1 } });
    expect(await roots.list()).toEqual([there]);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('is taken at a hundred roots without a word', async () => {
    const { roots, warn } = asked('user', { roots: Array(100).fill({ uri: uri('other') }) });
    expect(await roots.list()).toHaveLength(101);
    expect(warn).not.toHaveBeenCalled();
  });

  it('keeps what it answered last where an earlier answer did not come in time', async () => {
    vi.useFakeTimers();
    const request = vi.fn((_method, _params, { signal }) =>
      request.mock.calls.length === 1
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : Promise.resolve({ roots: [{ uri: uri('other') }] }),
    );
    const client = { peer: { request: request as never }, trust: 'user', capabilities } as const;
    const roots = createRoots(client, there, log);
    const late = roots.list();
    roots.changed();
    expect(await roots.list()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await late).toEqual([there]);
    expect(await roots.list()).toHaveLength(2);
    expect(request).toHaveBeenCalledTimes(2);
  });
});
