import { stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';
import { atItsModel, expertTeam, NO_MODELS } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import { startServer } from '../harness/server-process.ts';
import { openTerminal } from '../harness/terminal.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const COME_BACK = /^ {2}nexus run resume_run runId=(run_[0-9a-f]{8})\r?$/m;

verifiesApp('command.run', 'shows steps as lines where it is piped, and answers with the text', async () => {
  await using team = await expertTeam();
  await using project = await makeProject({ env: team.env });
  const done = await runNexus(project, ['run', 'orchestrate', 'Is login safe?']);
  expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Login is \*\*safe\*\*\.$/m) });
  expect(done.stdout).toContain('Nothing was run for this answer.');
  expect(done.stdout).toContain('## Recommendations\n\n- Keep it so. (believed)');
  expect(done.stdout).toContain('- security: Find threats: passed, believed');
  expect(done.stderr).toMatch(/^run run_[0-9a-f]{32}$/m);
  expect(done.stderr).toMatch(/^plan$[\s\S]*Find callers: search_codebase$[\s\S]*^looks up what it names$/m);
  expect(done.stderr).not.toContain('\x1b');
  const asJson = await runNexus(project, ['run', 'orchestrate', 'task=Is login safe?', '--json']);
  expect(JSON.parse(asJson.stdout).structuredContent).toMatchObject({ summary: 'Login is **safe**.' });
});

slowlyVerifiesApp(
  'command.run',
  'says how to go on after Ctrl-C on a terminal, and goes on there',
  async () => {
    await using team = await expertTeam(({ asked, count }) =>
      asked === 'expert' && count <= 2 ? { hangs: true } : undefined,
    );
    await using project = await makeProject({ env: team.env });
    const terminal = openTerminal(project, ['run', 'orchestrate', 'Is login safe?']);
    await terminal.shows(atItsModel('Find threats'));
    await terminal.shows(atItsModel('Find callers'));
    // A step says that it asks before the model hears of it, and whoever is asked third answers.
    await vi.waitFor(() => expect(team.open).toBe(2));
    expect(await terminal.interrupt()).toBe(130);
    const told = stripVTControlCharacters(terminal.shown());
    const [, runId = ''] = COME_BACK.exec(told) ?? [];
    expect(told).toContain(`  nexus runs cancel ${runId}`);
    expect(await runOf(rowsOf(project), 'experts.orchestrate')).toMatchObject({
      id: expect.stringContaining(runId),
      status: 'queued',
    });
    const resumed = await runNexus(project, ['run', 'resume_run', `runId=${runId}`]);
    expect(resumed.stdout).toContain('Login is **safe**.');
    expect(team.asked.filter(({ asked }) => asked === 'planner')).toHaveLength(1);
  },
);

slowlyVerifiesApp(
  'command.run',
  'says where its work is when the server ends in the middle of it',
  async () => {
    await using team = await expertTeam(({ asked }) => (asked === 'expert' ? { hangs: true } : undefined));
    await using project = await makeProject({ env: team.env });
    await using server = startServer(project);
    await server.session.initialize();
    const terminal = openTerminal(project, ['run', 'orchestrate', 'Is login safe?']);
    await terminal.shows(atItsModel('Find threats'));
    server.child.kill('SIGKILL');
    expect(await terminal.exited).toBe(1);
    const told = stripVTControlCharacters(terminal.shown());
    const [, runId = ''] =
      /the server ended in the middle of it.*`nexus runs (run_[0-9a-f]{8})`/.exec(told) ?? [];
    expect(await runOf(rowsOf(project), 'experts.orchestrate')).toMatchObject({
      id: expect.stringContaining(runId),
    });
  },
);

slowlyVerifiesApp(
  'command.run',
  'leaves its run to the server after Ctrl-C, which goes on with it',
  async () => {
    await using team = await expertTeam(({ asked }) => (asked === 'expert' ? { hangs: true } : undefined));
    await using project = await makeProject({ env: team.env });
    await using server = startServer(project);
    await server.session.initialize();
    const terminal = openTerminal(project, ['run', 'Is login safe?']);
    await terminal.shows(atItsModel('Find threats'));
    await terminal.shows(atItsModel('Find callers'));
    terminal.type('typed meanwhile\r');
    await terminal.shows(atItsModel('Find callers', '[1-9][\\d.]* s'));
    expect(await terminal.interrupt()).toBe(130);
    const told = stripVTControlCharacters(terminal.shown());
    expect(told).not.toContain('typed meanwhile');
    const [, runId = ''] = COME_BACK.exec(told) ?? [];
    expect(told).toContain('It goes on without this command.');
    // The server has noticed by then that its client is gone.
    await vi.waitFor(async () => {
      const { stdout } = await runNexus(project, ['status', '--json']);
      expect(JSON.parse(stdout).sessions).toHaveLength(1);
    });
    expect(await runOf(rowsOf(project), 'experts.orchestrate')).toMatchObject({
      id: expect.stringContaining(runId),
      status: 'running',
    });
    expect(team.open).toBe(2);
    await runNexus(project, ['runs', 'cancel', runId]);
    await vi.waitFor(() => expect(team.open).toBe(0));
  },
);

slowlyVerifiesApp('command.run', 'cancels what has begun no run by then', async () => {
  await using project = await makeProject({ slowPlugin: true, env: NO_MODELS });
  await using server = startServer(project);
  await server.session.initialize();
  const status = async () => JSON.parse((await runNexus(project, ['status', '--json'])).stdout).sessions;
  const terminal = openTerminal(project, ['run', 'slow_wait', 'ms=50000']);
  await vi.waitFor(async () => expect(await status()).toMatchObject([{}, { inFlight: 1 }]));
  expect(await terminal.interrupt()).toBe(130);
  expect(stripVTControlCharacters(terminal.shown())).not.toContain('nexus runs');
  // At once, and not once the call has ended by itself.
  await vi.waitFor(async () => expect(await status()).toHaveLength(1));
});

slowlyVerifiesApp('command.run', 'goes on with the job that waits for the run which it resumes', async () => {
  await using team = await expertTeam(({ asked, count }) =>
    asked === 'expert' && count <= 2 ? { hangs: true } : undefined,
  );
  await using project = await makeProject({ env: team.env });
  const call = ['call', 'orchestrate', 'task=Is login safe?', 'dispatch=async'];
  const begun = openTerminal(project, call, 60);
  await begun.shows(/Ctrl-C\s+leaves\s+it/);
  await vi.waitFor(() => expect(team.open).toBe(2));
  expect(await begun.interrupt()).toBe(130);
  const [jobId] = /job_[0-9a-f]+/.exec(begun.shown()) ?? [];
  // No row is left to the terminal to break.
  const said = stripVTControlCharacters(begun.shown())
    .replaceAll('\r\n', '\n')
    .split(/[\r\n]/);
  expect(said.filter((row) => row.length > 60)).toEqual([]);
  expect(said.join(' ').replace(/\s+/g, ' ')).toContain('It is left on record: `nexus runs resume job_');
  const { id } = (await runOf(rowsOf(project), 'experts.orchestrate')) ?? {};
  const resumed = await runNexus(project, ['run', 'resume_run', String(id)]);
  expect(resumed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Login is **safe**.') });
  const statuses = await rowsOf(project)(`select status from runs_runs where id in ('${jobId}', '${id}')`);
  expect(statuses).toEqual([{ status: 'completed' }, { status: 'completed' }]);
});

verifiesApp('command.run', 'says once that it paused at its cap, and claims no work', async () => {
  await using team = await expertTeam();
  await using project = await makeProject({ env: team.env, config: { experts: { maxTokens: 5 } } });
  const paused = await runNexus(project, ['run', 'orchestrate', 'Is login safe?']);
  expect({ ...paused, stderr: '' }).toMatchObject({ exitCode: 1, stdout: '' });
  expect(paused.stderr).toMatch(/^paused: /m);
  expect(paused.stderr.match(/What is done is kept/g), paused.stderr).toHaveLength(1);
  expect(paused.stderr).not.toContain('No server of the project runs');
  expect(paused.stderr).not.toContain('is paused');
});
