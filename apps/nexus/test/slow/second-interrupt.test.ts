import { constants } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Database from 'libsql';
import { expect, vi } from 'vitest';
import { atItsModel, expertTeam } from '../harness/expert-team.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import { openTerminal, openWindow } from '../harness/terminal.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 20_000 };

/** Lets nobody else write to the embedded database, so that what is to be written down waits. */
async function holdWrites({ dataDir }: Project): Promise<Disposable> {
  const database = new Database(join(dataDir, 'nexus.sqlite'));
  // Whoever writes just now has it first.
  await vi.waitFor(() => database.exec('begin immediate'), PATIENCE);
  return { [Symbol.dispose]: () => void database.close() };
}

const shortOf = (id: unknown) => String(id).slice(0, 'run_'.length + 8);
const hangingTeam = () => expertTeam(({ asked }) => (asked === 'expert' ? { hangs: true } : undefined));
const runIn = (project: Project) => runOf(rowsOf(project), 'experts.orchestrate');

for (const [name, ...args] of [
  ['run', 'orchestrate', 'Is login safe?'],
  ['call', 'orchestrate', 'task=Is login safe?'],
] as const) {
  slowlyVerifiesApp(
    'command.run',
    `leaves the run of nexus ${name} at the first Ctrl-C, says how to come back, and ends at the second`,
    async () => {
      await using team = await hangingTeam();
      await using project = await makeProject({ env: team.env });
      const window = openWindow(project, [name, ...args]);
      await window.shows(atItsModel('Find threats'));
      await vi.waitFor(() => expect(team.open).toBe(2), PATIENCE);
      using _ = await holdWrites(project);
      window.interrupt();
      const { id } = (await runIn(project)) ?? {};
      const short = shortOf(id);
      await window.shows(`  nexus ${name} resume_run runId=${short}`);
      expect(stripVTControlCharacters(window.shown())).toContain(`  nexus runs cancel ${short}`);
      window.interrupt();
      expect(await window.ended).toBe(constants.signals.SIGINT);
    },
  );
}

slowlyVerifiesApp('command.runs', 'leaves a run at the first Ctrl-C, and ends at the second', async () => {
  await using team = await hangingTeam();
  await using project = await makeProject({ env: team.env });
  const begun = openTerminal(project, ['run', 'orchestrate', 'Is login safe?']);
  await begun.shows(atItsModel('Find threats'));
  await vi.waitFor(() => expect(team.open).toBe(2), PATIENCE);
  await begun.kill();
  await vi.waitFor(() => expect(team.open).toBe(0), PATIENCE);
  const { id = '' } = (await runIn(project)) ?? {};
  const window = openWindow(project, ['runs', 'resume', String(id)]);
  await vi.waitFor(() => expect(team.open).toBe(2), PATIENCE);
  await window.shows('Ctrl-C leaves it on record');
  using _ = await holdWrites(project);
  window.interrupt();
  await window.shows(`It is left on record: \`nexus runs resume ${shortOf(id)}\` goes on with it`);
  window.interrupt();
  expect(await window.ended).toBe(constants.signals.SIGINT);
});
