import { stripVTControlCharacters } from 'node:util';
import { findPostgres, startPostgres } from '@nexus/testing';
import { execa } from 'execa';
import { describe, expect, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { openTerminal } from '../harness/terminal.ts';
import { isSlowStep, slowlyVerifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 30_000 };

async function shownRun(project: Project, id: string) {
  return JSON.parse((await runNexus(project, ['runs', id, '--json'])).stdout);
}

slowlyVerifiesApp(
  'runs.questions',
  'are shown by nexus run on a terminal, and answered there field by field',
  async () => {
    await using project = await makeProject({ slowPlugin: true });
    const terminal = openTerminal(project, ['run', 'slow_release', 'to=prod\u202euction']);
    await terminal.shows('What is released?');
    await terminal.shows('Branch (branch) [text, at most 20 characters]: ');
    terminal.type('a name that is much too long\r');
    await terminal.shows('branch must have at most 20 characters.');
    terminal.type('main\r');
    await terminal.shows('count [whole number, at least 1, by default 2]: ');
    terminal.type('\r');
    await terminal.shows('channel [one of beta, stable]: ');
    terminal.type('stable\r');
    await terminal.shows('to say yes to exactly this: ');
    const told = stripVTControlCharacters(terminal.shown());
    expect(told).toContain('"to": "prod\\u202euction"');
    terminal.type('yes\r');
    await terminal.shows('That is not it;');
    terminal.type(`${/Type ([0-9a-f]{8}) to say/.exec(told)?.[1]}\r`);
    expect(await terminal.exited).toBe(0);
    const answer = stripVTControlCharacters(terminal.shown());
    for (const part of ['"branch": "main"', '"count": 2', '"channel": "stable"', '"action": "accept"']) {
      expect(answer).toContain(part);
    }
  },
);

slowlyVerifiesApp(
  'runs.questions',
  'stay open after Ctrl-C on a terminal, which says what answers them',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    await project.host();
    const terminal = openTerminal(project, ['run', 'slow_release'], 60);
    await terminal.shows('Branch (branch)');
    expect(await terminal.interrupt()).toBe(130);
    const told = stripVTControlCharacters(terminal.shown());
    const [, id = ''] =
      /Left open; to answer it:\n {2}nexus runs answer (run_[0-9a-f]{8}) branch=… count=… \\\n {4}channel=…/.exec(
        told.replaceAll('\r\n', '\n'),
      ) ?? [];
    expect(told).toContain(`nexus run resume_run runId=${id}`);
    // The question and the command that answers it stand there once.
    expect(told.match(/nexus runs answer/g)).toHaveLength(1);
    expect(told.match(/^What is released\?/gm)).toHaveLength(1);
    const { asks, status } = await shownRun(project, id);
    expect(asks).toMatchObject([{ name: 'form', status: 'open' }]);
    expect(status).not.toBe('cancelled');
    await runNexus(project, ['runs', 'answer', id, 'no']);
    const again = openTerminal(project, ['run', 'resume_run', id]);
    await again.shows('to say yes to exactly this: ');
    again.type('/no\r');
    expect(await again.exited).toBe(0);
    expect(stripVTControlCharacters(again.shown())).toContain('"action": "decline"');
  },
);

slowlyVerifiesApp(
  'runs.questions',
  'end a piped nexus run with how they are answered, or are waited for',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    await project.host();
    const ended = await runNexus(project, ['run', 'slow_release']);
    expect(ended).toMatchObject({ exitCode: 75, stdout: '' });
    expect(ended.stderr).toMatch(/What is released\?\n {2}branch: text.*\n[\s\S]*nexus runs answer run_/);

    const waiting = execa(process.execPath, [bin, 'run', 'slow_release', '--wait'], {
      cwd: project.root,
      env: project.env,
      extendEnv: false,
      stdin: 'ignore',
    });
    let told = '';
    waiting.stderr.on('data', (chunk) => {
      told += String(chunk);
    });
    const asked = (what: RegExp) =>
      vi.waitFor(() => {
        const found = what.exec(told);
        expect(found, told).not.toBeNull();
        return found?.[1] ?? '';
      }, PATIENCE);
    const id = await asked(/nexus runs answer (run_[0-9a-f]{32}) branch=/);
    await runNexus(project, ['runs', 'answer', id, 'branch=b', 'channel=beta']);
    const digest = await asked(/--digest ([0-9a-f]{8})/);
    await runNexus(project, ['runs', 'answer', id, 'yes', '--digest', digest]);
    const { stdout } = await waiting;
    expect(told.match(/^run run_/gm)).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ runId: id, branch: 'b', channel: 'beta', action: 'accept' });
  },
);

describe.each(['SQLite', 'Postgres'])('on %s', (name) => {
  const binaries = name === 'Postgres' ? findPostgres() : undefined;
  describe.skipIf(!isSlowStep || (name === 'Postgres' && !binaries))('where they are asked', () => {
    slowlyVerifiesApp(
      'runs.questions',
      'outlive a nexus run that is killed between two of them on a terminal, and are asked again where it stood',
      async () => {
        await using postgres = binaries ? await ownPostgres(binaries) : undefined;
        const env = postgres ? { NEXUS_DATABASE_URL: postgres.url } : {};
        await using project = await makeProject({ slowPlugin: true, env });
        const killed = openTerminal(project, ['run', 'slow_release']);
        await killed.shows('Branch (branch)');
        killed.type('main\r');
        await killed.shows('count [whole number');
        killed.type('\r');
        await killed.shows('channel [one of');
        killed.type('stable\r');
        await killed.shows('to say yes to exactly this: ');
        await killed.kill();

        const { stdout } = await runNexus(project, ['runs', '--json']);
        const [{ id, asks }] = JSON.parse(stdout).runs.filter(({ asks }: { asks?: unknown }) => asks);
        expect(asks).toHaveLength(1);
        const again = openTerminal(project, ['run', 'resume_run', id]);
        await again.shows('to say yes to exactly this: ');
        const told = stripVTControlCharacters(again.shown());
        // What was answered before the kill is not asked again.
        expect(told).not.toContain('Branch (branch)');
        again.type(`${/Type ([0-9a-f]{8}) to say/.exec(told)?.[1]}\r`);
        expect(await again.exited).toBe(0);
        const answer = stripVTControlCharacters(again.shown());
        for (const part of ['"branch": "main"', '"count": 2', '"channel": "stable"', '"action": "accept"']) {
          expect(answer).toContain(part);
        }
      },
    );
  });
});

async function ownPostgres(binaries: string) {
  const postgres = await startPostgres(binaries);
  return { url: await postgres.createSchema(), [Symbol.asyncDispose]: () => postgres.stop() };
}
