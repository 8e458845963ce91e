import { stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';
import { runNexus } from '../harness/run-nexus.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { openTerminal } from '../harness/terminal.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

async function statusIs(project: SharedProject, id: string, status: string) {
  await vi.waitFor(
    async () => {
      const { stdout } = await runNexus(project, ['runs', id, '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ status });
    },
    { timeout: 30_000 },
  );
}

/** A run that has paid and ended. */
async function paid(project: SharedProject): Promise<string> {
  const server = await project.host();
  const { result } = await server.session.call('slow_run', { costUsd: 0.5 });
  const id = String(result.structuredContent.runId);
  await runNexus(project, ['runs', 'answer', id, 'yes', '--question', 'publish']);
  await statusIs(project, id, 'completed');
  return id;
}

const idIn = (told: string) => /(run_[0-9a-f]{8,32}) is \w+; `nexus runs/.exec(told)?.[1] ?? '';

slowlyVerifiesApp(
  'command.runs',
  'runs one again from a step, after it has said what that keeps and costs',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const id = await paid(project);
    const refused = await runNexus(project, ['runs', 'rerun', id.slice(0, 12), '--from', 'pay']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /Kept: draft, Publish it\?\n[\s\S]*pay: 10 tokens, \$0\.5000\n[\s\S]*say --yes/,
    );

    const terminal = openTerminal(project, ['runs', 'rerun', id, '--from', 'pay']);
    await terminal.shows('Run it again so? [y/N] ');
    terminal.type('y\r');
    expect(await terminal.exited).toBe(0);
    const again = idIn(stripVTControlCharacters(terminal.shown()));
    await statusIs(project, again, 'completed');

    const other = await runNexus(project, ['runs', 'rerun', id, '--input', '{"costUsd":0}', '--yes']);
    await runNexus(project, ['runs', 'answer', idIn(other.stdout), 'no', '--question', 'publish']);
    await statusIs(project, idIn(other.stdout), 'completed');
    const shown = JSON.parse((await runNexus(project, ['runs', idIn(other.stdout), '--json'])).stdout);
    expect(shown).toMatchObject({ rerunOf: id, input: { costUsd: 0 }, output: { action: 'decline' } });
    expect(shown.budget.spent.costUsd).toBe(0);
    expect(await runNexus(project, ['runs', 'rerun', id, '--from', 'nowhere'])).toMatchObject({
      exitCode: 1,
    });
  },
);

slowlyVerifiesApp(
  'command.runs',
  'a run that was cancelled goes on where it stood when it is run again',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const server = await project.host();
    const { result } = await server.session.call('slow_run', {});
    const id = String(result.structuredContent.runId);
    expect((await runNexus(project, ['runs', 'rerun', id, '--yes'])).stderr).toMatch(/is (running|waiting)/);
    await runNexus(project, ['runs', 'cancel', id]);
    const { stdout, stderr } = await runNexus(project, ['runs', 'rerun', id, '--yes']);
    expect(stderr).toContain('Kept: draft\n');
    await statusIs(project, idIn(stdout), 'waiting');
    const beside = await runNexus(project, ['runs', 'rerun', id]);
    expect(beside.stderr).toContain(`goes on in run ${idIn(stdout)}, which is waiting`);
    const all = await runNexus(project, ['runs', 'rerun', id, '--all']);
    expect(all.stderr).toContain('Kept: nothing\n');
  },
);

slowlyVerifiesApp(
  'command.runs',
  'has all runs that were cancelled go on at once, each of them once',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const server = await project.host();
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { result } = await server.session.call('slow_run', {});
      ids.push(String(result.structuredContent.runId));
    }
    for (const id of ids) await runNexus(project, ['runs', 'cancel', id]);
    const replay = ['runs', 'replay', '--cancelled', '--kind', 'slow.publish', '--since', '1h'];
    const dry = await runNexus(project, [...replay, '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ total: 3, runs: ids.map((id) => ({ id })) });
    expect(await runNexus(project, ['runs', 'replay', '--failed', '--yes'])).toMatchObject({ exitCode: 0 });
    expect((await runNexus(project, replay)).stderr).toContain('say --yes');

    const { stdout, exitCode } = await runNexus(project, [...replay, '--limit', '2', '--yes', '--json']);
    expect(exitCode).toBe(0);
    const { replayed, total } = JSON.parse(stdout);
    expect({ total, ids: replayed.map((each: { id: string }) => each.id) }).toEqual({
      total: 3,
      ids: ids.slice(0, 2),
    });
    for (const { begun } of replayed) await statusIs(project, begun.id, 'waiting');
    const rest = await runNexus(project, [...replay, '--yes']);
    expect(rest.stdout).toMatch(new RegExp(`^${ids[2]} goes on in run_\\w+, .*\\n1 started, 0 refused\\.$`));
    // Whoever has the first one go on again finds the run in which it does.
    const found = await runNexus(project, ['runs', 'rerun', ids[0] ?? '', '--yes']);
    expect(idIn(found.stdout)).toBe(replayed[0].begun.id);
  },
);

slowlyVerifiesApp('command.runs', 'goes on with all that is run again where no server does', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const ids: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    const { runId } = JSON.parse((await runNexus(project, ['call', 'slow_run'])).stdout);
    await runNexus(project, ['runs', 'cancel', runId]);
    ids.push(runId);
  }
  const replayed = await runNexus(project, ['runs', 'replay', '--cancelled', '--yes']);
  expect(replayed.stdout).toMatch(/^2 started, 0 refused\.$/m);
  const again = ids.map((id) => new RegExp(`${id} goes on in (run_\\w+),`).exec(replayed.stdout)?.[1] ?? '');
  for (const id of again) {
    expect(replayed.stdout).toContain(`${id} waits for a person:`);
    const { stdout } = await runNexus(project, ['runs', id, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ asks: [{ name: 'publish' }] });
  }
  expect(replayed.exitCode).toBe(75);
});
