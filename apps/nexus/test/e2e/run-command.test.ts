import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { expertTeam } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import { startServer } from '../harness/server-process.ts';
import { openTerminal } from '../harness/terminal.ts';
import { verifiesApp } from '../harness/verifies.ts';

verifiesApp('command.run', 'shows steps as lines where it is piped, and answers with the text', async () => {
  await using team = await expertTeam();
  await using project = await makeProject({ env: team.env });
  const done = await runNexus(project, ['run', 'orchestrate', 'Is login safe?']);
  expect({ ...done, stderr: '' }).toEqual({
    exitCode: 0,
    stdout: 'Login is **safe**.\n\n- Keep it so.',
    stderr: '',
  });
  expect(done.stderr).toMatch(/^run run_[0-9a-f]{32}$/m);
  expect(done.stderr).toMatch(/^plan$[\s\S]*Find callers: search_codebase$[\s\S]*^answer$/m);
  expect(done.stderr).not.toContain('\x1b');
  const asJson = await runNexus(project, ['run', 'orchestrate', 'task=Is login safe?', '--json']);
  expect(JSON.parse(asJson.stdout).structuredContent).toMatchObject({ summary: 'Login is **safe**.' });
});

verifiesApp('command.run', 'says how to go on after Ctrl-C on a terminal, and goes on there', async () => {
  await using team = await expertTeam(({ asked, count }) =>
    asked === 'expert' && count <= 2 ? { hangs: true } : undefined,
  );
  await using project = await makeProject({ env: team.env });
  const terminal = openTerminal(project, ['run', 'orchestrate', 'Is login safe?']);
  await terminal.shows('Find threats: asks the model');
  await terminal.shows('Find callers: asks the model');
  expect(await terminal.interrupt()).toBe(130);
  const told = stripVTControlCharacters(terminal.shown());
  const [, runId = ''] = /`nexus run orchestrate resume=(run_[0-9a-f]{32})` goes on with it/.exec(told) ?? [];
  expect(await runOf(rowsOf(project), 'experts.orchestrate')).toMatchObject({ id: runId });
  const resumed = await runNexus(project, ['run', 'orchestrate', `resume=${runId}`]);
  expect(resumed.stdout).toContain('Login is **safe**.');
  expect(team.asked.filter(({ asked }) => asked === 'planner')).toHaveLength(1);
});

verifiesApp('command.run', 'says where its work is when the server ends in the middle of it', async () => {
  await using team = await expertTeam(({ asked }) => (asked === 'expert' ? { hangs: true } : undefined));
  await using project = await makeProject({ env: team.env });
  await using server = startServer(project);
  await server.session.initialize();
  const terminal = openTerminal(project, ['run', 'orchestrate', 'Is login safe?']);
  await terminal.shows('Find threats: asks the model');
  server.child.kill('SIGKILL');
  expect(await terminal.exited).toBe(1);
  const told = stripVTControlCharacters(terminal.shown());
  const [, runId = ''] =
    /the server ended in the middle of it.*`nexus runs (run_[0-9a-f]{32})`/.exec(told) ?? [];
  expect(await runOf(rowsOf(project), 'experts.orchestrate')).toMatchObject({ id: runId });
});
