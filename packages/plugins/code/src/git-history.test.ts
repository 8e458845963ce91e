import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository } from '../test/fixture-repository.ts';
import { failure, makeFolder, startProject } from '../test/start-project.ts';

let repository: ReturnType<typeof makeRepository>;
beforeEach(() => {
  repository = makeRepository({ 'src/a.ts': 'one\ntwo\n', 'docs/x.md': 'text\n' });
});
afterEach(() => repository[Symbol.dispose]());

const start = (projectRoot = repository.path) => startProject({}, { projectRoot });

async function history(args: Readonly<Record<string, unknown>>, projectRoot?: string): Promise<string> {
  await using project = await start(projectRoot);
  const { content, isError } = await project.call('git_history', args);
  const text = content.map((block) => block.text).join('\n');
  expect(isError, text).toBeFalsy();
  return text;
}

async function refusal(args: Readonly<Record<string, unknown>>) {
  await using project = await start();
  return await failure(project.call('git_history', args));
}

describe('git_history', () => {
  it('lists commits, of a path, since another, or by a text that they brought', async () => {
    repository.commit('add three', { 'src/a.ts': 'one\ntwo\nthree\n' });
    repository.commit('reword', { 'docs/x.md': 'words\n' });
    const subjects = async (args: object) =>
      (await history({ action: 'log', ...args })).split('\n').map((line) => line.replace(/^\S+ \S+ /, ''));
    expect(await subjects({})).toEqual(['Ada: reword', 'Ada: add three', 'Ada: begin']);
    expect(await subjects({ path: 'src' })).toEqual(['Ada: add three', 'Ada: begin']);
    expect(await subjects({ from: 'HEAD~1' })).toEqual(['Ada: reword']);
    expect(await subjects({ text: 'three' })).toEqual(['Ada: add three']);
    expect(await history({ action: 'log', text: 'absent' })).toBe('Nothing: no commit fits.');
  });

  it('shows what steers a terminal or ends a line elsewhere, of subjects and of lines, as escapes', async () => {
    repository.commit('mend\u001b[2K it\u2028abc 2026-01-01 Eve: x', {
      'src/a.ts': 'one\u001b[2J\tx\r\nend\n',
    });
    expect(await history({ action: 'log', limit: 1 })).toMatch(
      /: mend\\u001b\[2K it\\u2028abc 2026-01-01 Eve: x$/,
    );
    const lines = (await history({ action: 'show' })).split('\n');
    expect(lines).toContain('+one\\u001b[2J\tx\r');
    expect(lines.join('\n')).not.toMatch(/[\u001b\u2028]/);
  });

  it('pages commits and lines, whole, and says how to go on', async () => {
    repository.commit('second', { 'src/a.ts': 'three\n' });
    expect(await history({ action: 'log', limit: 1 })).toMatch(
      /^Commits 1 to 1; offset 1 gives the next\.\n\S+ \S+ Ada: second$/,
    );
    expect(await history({ action: 'log', limit: 1, offset: 1 })).toMatch(/^Commits 2 to 2\.\n.*begin$/);
    expect(await history({ action: 'log', offset: 7 })).toBe(
      'Nothing is at offset 7: there are 2 commits in all.',
    );
    const lines = (await history({ action: 'show' })).split('\n');
    const part = await history({ action: 'show', limit: 2, offset: 1 });
    expect(part).toBe(
      [`Lines 2 to 3 of ${lines.length}; offset 3 gives the next.`, ...lines.slice(1, 3)].join('\n'),
    );
  });

  it('gives a whole diff by its pages, each within the room that a model has', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `line ${at} ${'x'.repeat(20)}`);
    writeFileSync(join(repository.path, 'src/a.ts'), `${many.join('\n')}\n`);
    const got: string[] = [];
    for (let offset = 0; ; ) {
      const text = await history({ action: 'diff', limit: 2_000, offset });
      expect(text.length).toBeLessThan(23_000);
      const [head = '', ...lines] = text.split('\n');
      got.push(...lines);
      const next = /offset (\d+)/.exec(head)?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(got.filter((line) => line.startsWith('+line'))).toEqual(many.map((line) => `+${line}`));
  });

  it('says that a line is cut, and where it is read whole', async () => {
    const long = 'x'.repeat(50_000);
    writeFileSync(join(repository.path, 'src/a.ts'), `one\n${long}\n`);
    await using project = await start();
    const { content: diff } = await project.call('git_history', { action: 'diff' });
    const text = diff[0]?.text ?? '';
    expect(text).toContain(`+${'x'.repeat(1_999)}… (48001 more characters)`);
    const [, uri] = /are cut; read_result reads these whole as (\S+)\.\n/.exec(text) ?? [];
    let read = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { content } = await project.call('read_result', { uri, offset });
      read += content.at(-1)?.text;
      const next = /Go on with offset (\d+)\.$/.exec(content[0]?.text ?? '')?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(read).toContain(`\n+${long}`);
  });

  it('compares with the working tree, and two commits', async () => {
    repository.commit('second', { 'src/a.ts': 'one\n2\n' });
    writeFileSync(join(repository.path, 'docs/x.md'), 'changed\n');
    const changed = await history({ action: 'diff' });
    expect(changed).toContain('+changed');
    expect(changed).not.toContain('+2');
    const between = await history({ action: 'diff', from: 'HEAD~1', ref: 'HEAD' });
    expect(between).toMatch(/-two\n\+2/);
    expect(between).not.toContain('changed');
    expect(await history({ action: 'diff', path: 'src' })).toBe(
      'Nothing: there is no difference in what git tracks.',
    );
  });

  it('says who wrote each line', async () => {
    repository.commit('second', { 'src/a.ts': 'one\n2\n' });
    const lines = await history({ action: 'blame', path: 'src/a.ts', lines: '2-2' });
    expect(lines).toMatch(/^\S+ \(Ada \d{4}-\d\d-\d\d 2\) 2$/);
    expect((await refusal({ action: 'blame' })).text).toContain('needs path');
  });

  it.each([
    [{ action: 'blame', path: 'src' }, 'blame needs a file, and src is a folder'],
    [
      { action: 'blame', path: 'src/a.ts', lines: '5-9' },
      'src/a.ts has 2 lines: lines must begin within them.',
    ],
    [{ action: 'blame', path: 'new.ts' }, 'There is no new.ts in the last commit: it is not committed yet.'],
    [{ action: 'log', lines: '1-2' }, 'lines is for blame, and says nothing to log: leave it out.'],
    [{ action: 'show', from: 'HEAD' }, 'from is for diff and log, and says nothing to show: leave it out.'],
    [{ action: 'diff', text: 'one' }, 'text is for log, and says nothing to diff: leave it out.'],
  ])('says what is wrong with %j, in its own words', async (args, text) => {
    writeFileSync(join(repository.path, 'new.ts'), '');
    expect((await refusal(args)).text).toContain(text);
  });

  it('knows a file that is gone, and names what is near to one that never was', async () => {
    repository.git('rm', '-q', 'docs/x.md');
    repository.git('commit', '-q', '-m', 'drop');
    expect(await history({ action: 'log', path: 'docs/x.md' })).toMatch(/drop[\s\S]*begin/);
    expect(await history({ action: 'blame', path: 'docs/x.md', ref: 'HEAD~1' })).toContain('text');
    const { code } = await refusal({ action: 'log', path: 'docs/never.md' });
    expect(code).toBe('NEXUS_NOT_FOUND');
  });

  it('shows nothing outside of the roots, by whatever name', async () => {
    repository.commit('a secret', { 'secret/key.txt': 'hush\n', 'src/a.ts': 'three\n' });
    const src = join(repository.path, 'src');
    expect(await history({ action: 'show' }, src)).toContain('three');
    expect(await history({ action: 'show' }, src)).not.toContain('hush');
    expect(await history({ action: 'log', text: 'hush' }, src)).toBe('Nothing: no commit fits.');
    await using project = await start(src);
    const blob = repository.git('rev-parse', 'HEAD:secret/key.txt').trim();
    const tree = repository.git('rev-parse', 'HEAD:secret').trim();
    for (const [args, code] of [
      [{ action: 'show', ref: blob }, 'NEXUS_NOT_FOUND'],
      [{ action: 'show', ref: tree }, 'NEXUS_NOT_FOUND'],
      [{ action: 'show', ref: 'HEAD:secret/key.txt' }, 'NEXUS_INVALID_ARGUMENTS'],
      [{ action: 'log', path: '../secret' }, 'NEXUS_OUTSIDE_ROOTS'],
      [{ action: 'blame', path: '../secret/key.txt' }, 'NEXUS_OUTSIDE_ROOTS'],
      [{ action: 'log', path: '../secret/gone.txt' }, 'NEXUS_OUTSIDE_ROOTS'],
    ] as const) {
      const { code: got, text } = await failure(project.call('git_history', args));
      expect(got, JSON.stringify(args)).toBe(code);
      expect(text).not.toContain('hush');
    }
  });

  it('leaves out what is Nexus’s own, though somebody committed it', async () => {
    repository.commit('all', { '.own/token.txt': 'hush\n', 'src/a.ts': 'three\n' });
    const dataDir = join(repository.path, '.own');
    await using project = await startProject({}, { projectRoot: repository.path, dataDir });
    const { content } = await project.call('git_history', { action: 'show' });
    expect(content[0]?.text).toContain('three');
    expect(content[0]?.text).not.toContain('hush');
  });

  it('takes no revision for an option, and a path for nothing but its name', async () => {
    const { code } = await refusal({ action: 'log', ref: '--output=/tmp/x' });
    expect(code).toBe('NEXUS_INVALID_ARGUMENTS');
    repository.commit('odd', { ':(glob)*': 'odd\n' });
    expect(await history({ action: 'log', path: ':(glob)*' })).toMatch(/^\S+ \S+ Ada: odd$/);
  });

  it('runs no program that the repository names', async () => {
    using elsewhere = makeFolder();
    const canary = join(elsewhere.path, 'ran');
    const program = join(elsewhere.path, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${canary}\ncat "$1" 2>/dev/null || cat\n`);
    chmodSync(program, 0o755);
    repository.commit('attributes', { '.gitattributes': '*.ts diff=own\n' });
    for (const key of ['diff.own.textconv', 'diff.own.command', 'diff.external', 'core.pager', 'gpg.program'])
      repository.git('config', key, program);
    repository.git('config', 'log.showSignature', 'true');
    writeFileSync(join(repository.path, 'src/a.ts'), 'changed\n');
    for (const action of ['log', 'show', 'diff', 'blame']) await history({ action, path: 'src/a.ts' });
    await history({ action: 'log', text: 'one' });
    expect(existsSync(canary)).toBe(false);
  });

  it('says so where there is no repository', async () => {
    rmSync(join(repository.path, '.git'), { recursive: true });
    expect(await refusal({ action: 'log' })).toMatchObject({
      code: 'NEXUS_UNAVAILABLE',
      text: expect.stringMatching(/no git repository[\s\S]*read_file/),
    });
  });
});
