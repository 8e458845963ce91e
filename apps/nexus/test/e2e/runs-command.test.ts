import { execa } from 'execa';
import { expect, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { NO_MODELS } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

async function runs(project: SharedProject, ...words: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runNexus(project, ['runs', ...words]);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

/** Until the command shows this of the run. */
const shows = (project: SharedProject, id: string, what: string | RegExp) =>
  vi.waitFor(async () => expect(await runs(project, id)).toMatch(what), { timeout: 30_000 });

async function begin(project: SharedProject, costUsd = 0) {
  const server = await project.host();
  const { result } = await server.session.call('slow_run', { costUsd });
  const id = String(result.structuredContent.runId);
  await shows(project, id, 'Publish it?');
  return { server, id };
}

verifiesApp('command.runs', 'shows, draws and answers a run, where its server has died too', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const { server, id } = await begin(project);
  const shown = await runs(project, id);
  expect(shown).toMatch(/^Publish \(slow\.publish\): waiting/);
  expect(shown).toContain('✓ draft');
  expect((await runNexus(project, ['status'])).stdout).toContain(`nexus runs answer ${id} yes`);
  expect(shown).toContain(`nexus runs answer ${id} yes --question publish`);
  const drawn = (await runs(project, id, '--mermaid')).trim().split('\n');
  expect(drawn[0]).toBe('flowchart TD');
  expect(drawn[1]).toContain('["✓ draft"]');
  expect(drawn.at(-1)).toBe('  r_0 --> r_1');

  const uri = `nexus://runs/${id}/steps/draft`;
  const { result } = await server.session.ask('resources/read', { uri });
  const { steps } = JSON.parse(await runs(project, id, '--json'));
  expect(JSON.stringify(JSON.parse(result.contents[0].text))).toBe(steps[0].output.json);
  expect(shown).toContain(`out ${steps[0].output.json}`);

  server.child.kill('SIGKILL');
  await server.exit();
  expect(await runs(project, 'answer', id, 'yes')).toContain('Answered: Publish it?');
  const again = await runNexus(project, ['runs', 'answer', id, 'no']);
  expect(again.exitCode).not.toBe(0);
  await project.host();
  await shows(project, id, /: completed/);
  expect(JSON.parse(await runs(project, id, '--json'))).toMatchObject({ output: { action: 'accept' } });
});

slowlyVerifiesApp('command.runs', 'ends a run, and lets one that paused at its cap go on', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const ended = await begin(project);
  expect(await runs(project, 'cancel', ended.id)).toBe(`${ended.id} is cancelled.`);
  expect(await runs(project, '--status', 'cancelled')).toContain(ended.id);
  expect(await runs(project, '--status', 'failed')).toBe('No run is failed. `nexus runs` lists all.');
  const refused = await runNexus(project, ['runs', '--status', 'bogus']);
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain('one of queued, running, waiting, paused, completed, failed, cancelled');

  const { id } = await begin(project, 2);
  await runs(project, 'answer', id, 'no');
  await shows(project, id, /: paused/);
  expect(await runs(project, '--status', 'paused')).toContain(id);
  expect((await runNexus(project, ['runs', 'resume', id, '--usd', 'much'])).exitCode).not.toBe(0);
  for (const [cap, words] of [
    [['--tokens', '5'], /cap of 5 tokens lets nothing go on: .*at least 10 tokens/],
    [['--usd', '1.5'], /cap of \$1\.5000 lets nothing go on: .*at least \$2\.0000/],
  ] as const) {
    const low = await runNexus(project, ['runs', 'resume', id, ...cap]);
    expect(low).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(words) });
  }
  expect(await runs(project, id)).toMatch(/: paused/);
  await runs(project, 'resume', id, '--usd', '3');
  await shows(project, id, /: completed/);
  expect(await runs(project, id)).toMatch(/\$2\.0000; .* s; the cap is \$3\.0000/);
  expect(JSON.parse(await runs(project, id, '--json'))).toMatchObject({ output: { action: 'decline' } });
});

slowlyVerifiesApp('command.runs', 'goes on with a run where no server does', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const begun = await runNexus(project, ['call', 'slow_run']);
  expect(begun.exitCode, begun.stderr).toBe(0);
  expect(begun.stderr).toContain('waits for a person:');
  const { runId: id } = JSON.parse(begun.stdout);
  const answered = await runNexus(project, ['runs', 'answer', id, 'yes']);
  expect(answered).toMatchObject({ exitCode: 0, stdout: `Answered: Publish it?\n${id} is completed.` });
  expect(await runs(project, id)).toMatch(/: completed/);
});

slowlyVerifiesApp('command.runs', 'tells what a run came to that it took to its end', async () => {
  const file = [
    'name: mine',
    'description: Asks.',
    'steps:',
    '  - { id: may, uses: ask, with: { message: "May it?" } }',
    'outputs: { said: "it is done" }',
  ].join('\n');
  await using project = await shareProject({ files: { '.nexus/workflows/mine.yaml': file } });
  const begun = await runNexus(project, ['run', 'mine']);
  const id = /run_[0-9a-f]+/.exec(begun.stderr)?.[0] ?? '';
  const answered = await runNexus(project, ['runs', 'answer', id, 'yes']);
  expect(answered.exitCode, answered.stderr).toBe(0);
  expect(answered.stdout).toContain('is completed.');
  expect(answered.stdout).toContain('it is done');
  expect(answered.stderr).toMatch(/^completed: .* s; `nexus runs run_\w+` shows how it came about\.$/m);
});

slowlyVerifiesApp('command.runs', 'goes on with what was begun here, until Ctrl-C leaves it', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const call = execa(process.execPath, [bin, 'call', 'slow_job', 'note=begun', 'ms=2000', 'dispatch=async'], {
    cwd: project.root,
    env: project.env,
    extendEnv: false,
    reject: false,
  });
  let said = '';
  call.stderr.on('data', (text) => {
    said += String(text);
  });
  await vi.waitFor(() => expect(said).toContain('Ctrl-C leaves it'), { timeout: 30_000 });
  call.kill('SIGINT');
  const left = await call;
  expect(left.exitCode).toBe(130);
  const { jobId } = JSON.parse(left.stdout);
  const resume = `\`nexus runs resume ${jobId}\``;
  expect(said).toContain(
    `goes on with ${jobId}. Ctrl-C leaves it on record, for the next server or ${resume}.`,
  );
  expect(said).toContain(`It is left on record: ${resume} goes on with it`);
  expect(await runs(project, jobId)).toMatch(/: queued/);
  const resumed = await runNexus(project, ['runs', 'resume', jobId]);
  expect(resumed.stdout.split('\n')).toContain(`${jobId} is completed.`);
  expect(resumed.exitCode).toBe(0);
});

slowlyVerifiesApp('command.runs', 'names a job at once, and ends with it where no server does', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const job = ['dispatch=async', 'note=begun'];
  const done = await runNexus(project, ['call', 'slow_job', 'ms=1', ...job]);
  const { jobId } = JSON.parse(done.stdout);
  expect(done.stderr).toContain(`${jobId} is completed.\n\`nexus jobs ${jobId}\` shows what it came to.`);
  expect(done.exitCode).toBe(0);
  const shown = await runNexus(project, ['jobs', jobId]);
  expect(shown.stdout).toMatch(/: completed, begun [\s\S]*\n\n\{[\s\S]*"note": "begun"[\s\S]*\}$/);
  const whole = JSON.parse((await runNexus(project, ['jobs', jobId, '--json'])).stdout);
  expect(whole).toMatchObject({ id: jobId, result: { structuredContent: { note: 'begun' } } });
  const failed = await runNexus(project, ['call', 'run_workflow', 'template=absent', 'dispatch=async']);
  expect(failed).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^job_\w+ is failed: .*absent/m),
  });
  await project.host();
  const served = await runNexus(project, ['call', 'slow_job', 'ms=60000', ...job]);
  const { jobId: going } = JSON.parse(served.stdout);
  expect(served).toMatchObject({ exitCode: 0, stderr: `\`nexus jobs ${going}\` shows how it stands.` });
});

slowlyVerifiesApp(
  'command.runs',
  'resumes a job that was left, and says what its tool answered',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const words = ['call', 'slow_job', 'ms=3000', 'dispatch=async', 'note=begun'];
    const left = execa(process.execPath, [bin, ...words], {
      ...{ cwd: project.root, env: project.env, extendEnv: false, reject: false, stdin: 'ignore' },
    });
    let told = '';
    left.stdout.on('data', (chunk) => {
      told += String(chunk);
      if (told.includes('job_')) left.kill('SIGKILL');
    });
    await left;
    const jobId = /job_[0-9a-f]+/.exec(told)?.[0] ?? '';
    const { stdout, exitCode } = await runNexus(project, ['runs', 'resume', jobId]);
    expect(stdout).toMatch(/^job_\w+ is completed\.\n\{[\s\S]*"note": "begun"[\s\S]*\}$/m);
    expect(exitCode).toBe(0);
  },
);

slowlyVerifiesApp(
  'command.runs',
  'every command that takes an id says what is wrong with one, and what lists them',
  async () => {
    await using project = await makeProject({ env: NO_MODELS });
    const commands = [
      { words: ['runs'], list: 'nexus runs', begins: 'run_' },
      { words: ['runs', 'cancel'], list: 'nexus runs', begins: 'run_' },
      { words: ['runs', 'rerun'], list: 'nexus runs', begins: 'run_' },
      { words: ['trace'], list: 'nexus runs', begins: 'run_' },
      { words: ['logs', '--run'], list: 'nexus runs', begins: 'run_' },
      { words: ['jobs'], list: 'nexus jobs', begins: 'job_' },
      { words: ['tasks'], list: 'nexus tasks', begins: 'task_' },
      { words: ['votes'], list: 'nexus votes', begins: '' },
    ];
    for (const { words, list, begins } of commands) {
      for (const [written, what] of [
        ['', 'No id of a '],
        ...(begins === '' ? [] : [[begins, `${begins} is what the id of every `]]),
        [`${begins}ab`, `${begins}ab is too little to name a `],
      ]) {
        const { exitCode, stderr } = await runNexus(project, [...words, String(written)]);
        expect({ words, written, exitCode, stderr }).toMatchObject({
          exitCode: 1,
          stderr: expect.stringMatching(new RegExp(`${what}[^]*\`${list}\` lists them\\.$`)),
        });
      }
    }
    for (const [command, written, told] of [
      [
        'jobs',
        'run_01234567',
        'run_01234567 is the id of a run, and not of a job: `nexus runs run_01234567` shows it.',
      ],
      [
        'runs',
        'task_01234567',
        'task_01234567 is the id of a task, and not of a run: `nexus tasks task_01234567` shows it.',
      ],
      [
        'votes',
        'run_01234567',
        'run_01234567 is the id of a run, and not of a vote: `nexus runs run_01234567` shows it.',
      ],
      ['runs', 'nexus://runs/run_01234567', 'it never was'],
    ] as const) {
      const { exitCode, stderr } = await runNexus(project, [command, written]);
      expect({ command, exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(told),
      });
    }
  },
);
