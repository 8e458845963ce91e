import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tryLockFile } from '@nexus/locks';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../../vitest.programs.ts';
import { registryFolder } from './folder.ts';
import { createRegistry } from './registry.ts';

const { signal } = new AbortController();
const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function project() {
  const root = mkdtempSync(join(tmpdir(), 'nexus-registry-'));
  roots.push(root);
  const folder = join(root, '.nexus/research');
  return { root, folder, registry: createRegistry(registryFolder(root, '.nexus/research')) };
}

const writer = new URL('../../test/write-registry.ts', import.meta.url);

/** A writer in a process of its own; `said` grows as it is told what is kept. */
async function startWriter(root: string, name: string, count: number) {
  const child = spawn(process.execPath, [await bundleProgram(writer), root, name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  return { child, said, ended: once(child, 'close') };
}

describe('the registry', () => {
  it('has what each of twenty writers added at once while one is killed, and what a person wrote beside it', async () => {
    const { root, folder, registry } = project();
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'papers.yaml'),
      '# By hand.\npapers:\n  - id: doi:10.1000/first # the first\n    title: First\n',
    );
    // In this process and in others: the lock holds between both.
    const others = await Promise.all(['a', 'b'].map((name) => startWriter(root, name, 5)));
    const adding = Array.from({ length: 20 }, (_, at) =>
      registry.change(['papers'], new AbortController().signal, ({ papers }) =>
        papers.add({ id: `doi:10.1000/own.${at}`, title: 'Own' }),
      ),
    );
    const victim = await startWriter(root, 'v', 100_000);
    victim.child.stdout.on('data', () => victim.child.kill('SIGKILL'));
    await Promise.all([...adding, victim.ended, ...others.map(({ ended }) => ended)]);
    const { papers } = await registry.read();
    const ids = papers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !id.includes('/v.'))).toHaveLength(1 + 20 + 10);
    expect(victim.said.length).toBeGreaterThanOrEqual(1);
    expect(ids).toEqual(expect.arrayContaining(victim.said));
    expect(readFileSync(join(folder, 'papers.yaml'), 'utf8')).toMatch(/^# By hand\.\n.*# the first\n/s);
  });

  it('has all that a writer said was kept before it was killed, and is whole', async () => {
    const { root, folder, registry } = project();
    const victim = await startWriter(root, 'v', 100_000);
    victim.child.stdout.on('data', () => {
      if (victim.said.length >= 15) victim.child.kill('SIGKILL');
    });
    await victim.ended;
    const { papers } = await registry.read();
    expect(victim.said.length).toBeGreaterThanOrEqual(15);
    expect(papers.map(({ id }) => id)).toEqual(expect.arrayContaining(victim.said));
    await registry.change(['papers'], signal, ({ papers: list }) =>
      list.add({ id: 'doi:10.1000/after', title: 'After' }),
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect((await registry.read()).papers).toHaveLength(papers.length + 1);
  });

  it('changes nothing where a file can’t be read', async () => {
    const { folder, registry } = project();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'papers.yaml'), 'papers:\n  - id: nothing\n');
    const add = registry.change(['papers'], signal, ({ papers }) =>
      papers.add({ id: 'doi:10.1000/1', title: 'One' }),
    );
    await expect(add).rejects.toThrow(/papers\.yaml:2:9: id: is no id of a work/);
    expect(readFileSync(join(folder, 'papers.yaml'), 'utf8')).toBe('papers:\n  - id: nothing\n');
  });

  it.each([
    [
      'another encoding',
      Buffer.from('papers:\n  - id: doi:10.1000/2\n    title: caf\xe9\n', 'latin1'),
      /line 3 is not UTF-8/,
    ],
    ['UTF-16', Buffer.from('\ufeffpapers: []\n', 'utf16le'), /line 1 is not UTF-8/],
  ])('loses no byte of a file in %s', async (_, bytes, fault) => {
    const { folder, registry } = project();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'papers.yaml'), bytes);
    const add = registry.change(['papers'], signal, ({ papers }) =>
      papers.add({ id: 'doi:10.1000/1', title: 'One' }),
    );
    await expect(add).rejects.toThrow(fault);
    await expect(registry.read()).rejects.toMatchObject({ code: 'NEXUS_FILE_UNREADABLE' });
    expect(readFileSync(join(folder, 'papers.yaml'))).toEqual(bytes);
  });

  it.skipIf(process.platform === 'win32')('waits for nobody at a pipe', async () => {
    const { folder, registry } = project();
    mkdirSync(folder, { recursive: true });
    execFileSync('mkfifo', [join(folder, 'papers.yaml')]);
    await expect(registry.read()).rejects.toThrow(/it is no file/);
  });

  it('follows no link out of the project', async () => {
    const { root, folder, registry } = project();
    const outside = mkdtempSync(join(tmpdir(), 'nexus-outside-'));
    roots.push(outside);
    writeFileSync(join(outside, 'papers.yaml'), 'papers: secret\n');
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(outside, 'papers.yaml'), join(folder, 'papers.yaml'));
    await expect(registry.read()).rejects.toThrow(/it is a symbolic link/);
    rmSync(folder, { recursive: true });
    symlinkSync(outside, join(root, '.nexus/research'));
    await expect(registry.read()).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
  });

  it('leaves the draft of who has the lock alone, while others wait for it', async () => {
    const { folder, registry } = project();
    mkdirSync(folder, { recursive: true });
    const draft = join(folder, '.papers.yaml.00000000-0000-4000-8000-000000000000.new');
    const lock = await tryLockFile(join(folder, '.lock'));
    writeFileSync(draft, 'papers: []\n');
    const waiter = new AbortController();
    const change = registry.change(['papers'], waiter.signal, () => {});
    await expect.poll(() => existsSync(join(folder, '.gitignore'))).toBe(true);
    waiter.abort(new Error('gone'));
    await expect(change).rejects.toThrow();
    expect(existsSync(draft)).toBe(true);
    lock?.release();
    await registry.change(['papers'], signal, () => {});
    expect(existsSync(draft)).toBe(false);
  });

  it('waits for its turn no longer than its caller does', async () => {
    const { folder, registry } = project();
    const caller = new AbortController();
    mkdirSync(folder, { recursive: true });
    const lock = await tryLockFile(join(folder, '.lock'));
    const change = registry.change(['papers'], caller.signal, () => {});
    caller.abort(new Error('gone'));
    await expect(change).rejects.toThrow('gone');
    expect(lock?.isValid()).toBe(true);
    lock?.release();
  });
});
