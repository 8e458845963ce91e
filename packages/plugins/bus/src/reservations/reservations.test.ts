import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

describeOnEach('reserved files', (place) => {
  let bus: BusUnderTest;
  let now: number;
  let projectRoot: string;
  beforeEach(async () => {
    now = Date.UTC(2030, 0, 1);
    projectRoot = mkdtempSync(join(tmpdir(), 'nexus-bus-'));
    bus = await startBus({ ...place, projectRoot, testClock: () => now });
    for (const name of ['ann', 'ben', 'cid']) await bus.answer('register_worker', { name });
  });
  it('say that those of a linked worktree are seen in it alone, and of which folder all see them', async () => {
    const reserve = () => bus.answer<{ note?: string }>('reserve_files', { worker: 'ann', globs: ['a'] });
    expect(await reserve()).not.toHaveProperty('note');
    const dotGit = join(projectRoot, '.git');
    writeFileSync(dotGit, 'gitdir: /repository/.git/worktrees/linked\n');
    expect((await reserve()).note).toContain('All of the repository see what is reserved in /repository.');
    // A submodule, and what is no file of git.
    for (const text of ['gitdir: ../.git/modules/linked\n', 'none']) {
      writeFileSync(dotGit, text);
      expect(await reserve()).not.toHaveProperty('note');
    }
  });

  afterEach(async () => {
    await bus.stop();
    rmSync(projectRoot, { recursive: true, force: true });
  });

  const reserve = (worker: string, globs: readonly string[], options = {}) => ({
    worker,
    globs,
    ttlMs: 60_000,
    ...options,
  });
  const held = async () => {
    const { reservations } = await bus.answer<{ reservations: { items: { glob: string }[] } }>('bus_status');
    return reservations.items.map((item) => item.glob);
  };

  it('are refused to others by holder, glob and expiry, all or none', async () => {
    const { expiresAt } = await bus.answer('reserve_files', reserve('ann', ['src/api/**']));
    const { code, text } = await bus.refusal('reserve_files', reserve('ben', ['docs/**', 'src/**/*.ts']));
    expect(code).toBe('NEXUS_CONFLICT');
    expect(text).toContain(`src/**/*.ts overlaps src/api/**, reserved by ann until ${expiresAt}`);
    expect(await held()).toEqual(['src/api/**']);
  });

  it('are free for others where no path could match both', async () => {
    await bus.answer('reserve_files', reserve('ann', ['src/*.ts']));
    await bus.answer('reserve_files', reserve('ben', ['src/*.md']));
    expect(await held()).toEqual(['src/*.md', 'src/*.ts']);
  });

  it('are one file where a path has an extension and no folder is there, and all below it where one is', async () => {
    mkdirSync(join(projectRoot, 'v1.2'));
    writeFileSync(join(projectRoot, 'Makefile'), '');
    await bus.answer('reserve_files', reserve('ann', ['**/*.ts']));
    await bus.answer('reserve_files', reserve('ben', ['s/main.js', 'README.md', 'Makefile']));
    for (const folder of ['v1.2', 'src']) {
      const { text } = await bus.refusal('reserve_files', reserve('cid', [folder]));
      expect(text).toContain(`${folder} overlaps **/*.ts`);
    }
  });

  it('are shared among workers that all reserve them non-exclusively', async () => {
    await bus.answer('reserve_files', reserve('ann', ['src/**'], { exclusive: false }));
    await bus.answer('reserve_files', reserve('ben', ['src/a.ts'], { exclusive: false }));
    const { text } = await bus.refusal('reserve_files', reserve('cid', ['src/a.ts']));
    expect(text).toContain('shared by ann');
    expect(text).toContain('shared by ben');
  });

  it('are free again once they expire', async () => {
    await bus.answer('reserve_files', reserve('ann', ['src/**']));
    now += 60_001;
    await bus.answer('reserve_files', reserve('ben', ['src/**']));
    expect(await held()).toEqual(['src/**']);
  });

  it('are extended by the same worker, whose own reservations never conflict', async () => {
    await bus.answer('reserve_files', reserve('ann', ['src/**']));
    now += 59_000;
    await bus.answer('reserve_files', reserve('ann', ['src/**', 'src/a.ts']));
    now += 59_000;
    expect(await bus.refusal('reserve_files', reserve('ben', ['src/b.ts']))).toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
  });

  it('are released by glob or all at once, again without an error', async () => {
    await bus.answer('reserve_files', reserve('ann', ['a', 'b/', 'c']));
    const release = (args: object) => bus.answer('release_files', { worker: 'ann', ...args });
    expect(await release({ globs: ['./a', 'zzz'] })).toEqual({ released: ['a'] });
    expect(await release({ globs: [] })).toEqual({ released: [] });
    expect(await release({})).toEqual({ released: ['b/**', 'c'] });
    expect(await release({})).toEqual({ released: [] });
  });

  it('of a reset worker are free', async () => {
    await bus.answer('reserve_files', reserve('ann', ['src/**']));
    const reset = await bus.answer('reset_worker', { worker: 'ann' });
    expect(reset).toMatchObject({ releasedGlobs: ['src/**'] });
    await bus.answer('reserve_files', reserve('ben', ['src/**']));
  });

  it('go to one of many who ask for overlapping globs at once', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `w${index}`);
    for (const name of names) await bus.answer('register_worker', { name });
    const results = await Promise.all(
      names.map((name, index) =>
        bus.call('reserve_files', reserve(name, [index % 2 ? 'src/**' : 'src/a.*'])),
      ),
    );
    expect(results.filter((result) => !result.isError)).toHaveLength(1);
  });

  it('leave others their turns while many long globs are compared', async () => {
    const many = (word: string) => Array.from({ length: 50 }, (_, at) => `${word.repeat(60)}${at}/**`);
    await bus.answer('reserve_files', reserve('ann', many('{a,b}*')));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await bus.call('reserve_files', reserve('ben', many('*{b,a}')));
    isOver = true;
    expect(turns).toBeGreaterThan(15);
  });
});
