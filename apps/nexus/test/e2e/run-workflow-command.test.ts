import { stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';
import { expertTeam, NO_MODELS } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { openTerminal } from '../harness/terminal.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const MINE = `name: mine
description: Looks for a word.
inputs:
  - { name: word, required: true, description: The word to look for }
  - { name: limit, type: number, default: 5, description: At most. }
steps:
  - { id: look, title: Looks, uses: 'tool:search_codebase', with: { query: '\${{ inputs.word }}', limit: '\${{ inputs.limit }}' } }
outputs: { found: '\${{ steps.look.output.total }}', limit: '\${{ inputs.limit }}' }
`;

const files = { '.nexus/workflows/mine.yaml': MINE, 'src/a.ts': '// needle\n' };

verifiesApp('command.run.workflow', 'runs one by its name or file, with values of their types', async () => {
  await using project = await makeProject({ files, env: NO_MODELS });
  const byName = await runNexus(project, ['run', 'mine', 'word=needle', 'limit=3']);
  expect({ ...byName, stderr: '' }).toEqual({
    exitCode: 0,
    stdout: '# mine: needle\n\n**found**: 1\n\n**limit**: 3\n\n1 of 1 step done.',
    stderr: '',
  });
  expect(byName.stderr).toMatch(/^run run_[0-9a-f]{32}$[\s\S]*^Looks$/m);
  const [, runId = ''] = /^run (run_[0-9a-f]{32})$/m.exec(byName.stderr) ?? [];
  const byFile = await runNexus(project, ['run', '.nexus/workflows/mine.yaml', 'word=needle', '--json']);
  expect(JSON.parse(byFile.stdout).structuredContent.output).toEqual({ found: 1, limit: 5 });
  const again = await runNexus(project, ['run', 'resume_run', String(runId)]);
  expect(again.stdout).toBe(byName.stdout);
  const wrong = await runNexus(project, ['run', 'mine', 'word=x', 'limti=3']);
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('did you mean limit?') });
});

slowlyVerifiesApp(
  'command.run.workflow',
  'is no client that a running server warns of: it waits as long as it takes',
  async () => {
    await using project = await shareProject({ files, env: NO_MODELS });
    const server = await project.host();
    expect(await runNexus(project, ['run', 'mine', 'word=needle'])).toMatchObject({ exitCode: 0 });
    await server.session.call('run_workflow', { template: 'mine', dryRun: true });
    // That of the host's own call, which came last.
    await vi.waitFor(() => expect(server.stderr()).toContain('no progressToken received'), 5_000);
    expect(server.stderr().match(/no progressToken received/g)).toHaveLength(1);
  },
);

slowlyVerifiesApp(
  'command.run.workflow',
  'asks on a terminal for what is missing, and elsewhere names it',
  async () => {
    await using project = await makeProject({ files, env: NO_MODELS });
    const terminal = openTerminal(project, ['run', 'mine']);
    await terminal.shows('The word to look for (word): ');
    terminal.type('needle\r');
    expect(await terminal.exited).toBe(0);
    expect(stripVTControlCharacters(terminal.shown())).toMatch(
      /✓ Looks [\d.]+ s[\s\S]*mine: needle[\s\S]*found: 1[\s\S]*completed: no model asked; [\d.]+ s; `nexus runs run_[0-9a-f]{8}`/,
    );
    const piped = await runNexus(project, ['run', 'mine']);
    expect(piped).toMatchObject({ exitCode: 1, stdout: '' });
    expect(piped.stderr).toContain('"word" is missing: The word to look for');
    const interrupted = openTerminal(project, ['run', 'mine']);
    await interrupted.shows('(word): ');
    expect(await interrupted.interrupt()).toBe(130);
  },
);

slowlyVerifiesApp(
  'command.run.workflow',
  'checks a file: its plan, or every fault as compilers say it',
  async () => {
    const bad = MINE.replace('word, required', 'word, requird').replace('tool:search', 'tool:serch');
    await using project = await makeProject({ files: { ...files, 'bad.yaml': bad }, env: NO_MODELS });
    const sound = await runNexus(project, ['run', '--check', 'mine']);
    expect(sound).toMatchObject({ exitCode: 0, stderr: '' });
    expect(sound.stdout).toBe(
      '# mine, not run\n\nMissing inputs: word.\n\n## Plan\n\n1. **Looks**: tool:search_codebase',
    );
    const given = await runNexus(project, ['run', '--check', 'mine', 'word=needle']);
    expect(given).toMatchObject({ exitCode: 0, stderr: '' });
    expect(given.stdout).toBe('# mine, not run\n\n## Plan\n\n1. **Looks**: tool:search_codebase');
    const foreign = await runNexus(project, ['run', '--check', 'mine', 'wrod=needle']);
    expect(foreign).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('no input "wrod"') });
    const faulty = await runNexus(project, ['run', '--check', 'bad.yaml']);
    expect(faulty).toMatchObject({ exitCode: 1, stderr: '' });
    expect(faulty.stdout.split('\n')).toEqual([
      'bad.yaml:4:19: inputs.0.requird: there is no "requird" here; did you mean required?',
      expect.stringMatching(
        /^bad\.yaml:7:37: steps\.0\.uses: there is no tool "serch_codebase" .*did you mean search_codebase\?/,
      ),
    ]);
    const none = await runNexus(project, ['run', '--check', 'search_codebase']);
    expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--check is for workflows') });
  },
);

verifiesApp('command.run.workflow', 'says of a name that nothing bears what can be typed', async () => {
  await using project = await makeProject({ files, env: NO_MODELS });
  const said = async (...words: string[]) => (await runNexus(project, words)).stderr;
  const nothing = await said('run', 'xyzzy');
  expect(nothing).toMatch(/^nexus: there is nothing called xyzzy; `nexus tools` lists the tools/);
  expect(await said('call', 'xyzzy')).toBe(nothing);
  expect(await said('tools', 'xyzzy')).toBe(nothing);
  const advised = [...nothing.matchAll(/`nexus ([^`]+)`/g)].map(([, command = '']) => command.split(' '));
  expect(advised).toHaveLength(3);
  for (const words of advised) {
    const typed = words.map((word) => (word === '<words>' ? 'needle' : word));
    expect(await runNexus(project, typed)).toMatchObject({ exitCode: 0 });
  }
  expect(await said('call', 'mine')).toContain('mine is a workflow: `nexus run mine` runs it');
  expect(await said('run', 'doctor')).toContain('doctor is a command itself: `nexus doctor`');
  const near = await said('run', 'memory_stat');
  expect(near).toContain('did you mean `nexus call memory_stats`? `nexus call list_workflows');
  expect(await said('call', 'memory_stat')).toContain('? `nexus tools` lists the tools.');
  // Tools that share no more than the word with it are not what is to be run.
  expect(await said('run', 'nosuchworkflow')).toBe(nothing.replace('xyzzy', 'nosuchworkflow'));
});

slowlyVerifiesApp(
  'command.run.workflow',
  'tells words apart: names, tools, sentences, and what is two things',
  async () => {
    await using team = await expertTeam();
    const clash = MINE.replace('name: mine', 'name: bundle');
    await using project = await makeProject({
      files: { ...files, '.nexus/workflows/bundle.yaml': clash },
      env: team.env,
    });
    const said = async (...words: string[]) => (await runNexus(project, ['run', ...words])).stderr;
    expect(await said('code-review')).toContain('say workflow:code-review, or graph:code-review');
    expect(await said('bundle')).toContain('"bundle" is a tool and a workflow; say workflow:bundle');
    expect(await said('mien')).toContain('there is nothing called mien; did you mean `nexus run mine`?');
    expect(await runNexus(project, ['run', 'workflow:bundle', 'word=needle'])).toMatchObject({ exitCode: 0 });
    const sentence = await runNexus(project, ['run', 'Is login safe?', 'maxIterations=9']);
    expect(sentence).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Login is **safe**.') });
  },
);

slowlyVerifiesApp(
  'command.run.workflow',
  'says of one that failed once what it cost, and what a person types to go on',
  async () => {
    const failing = `name: failing\ndescription: Fails.\nsteps:\n  - { id: look, uses: 'tool:read_file', with: { path: no-such-file } }\n`;
    await using project = await makeProject({
      files: { '.nexus/workflows/failing.yaml': failing },
      env: NO_MODELS,
    });
    for (const words of [
      ['run', 'failing'],
      ['call', 'run_workflow', 'template=failing'],
    ]) {
      const { exitCode, stdout, stderr } = await runNexus(project, words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr.match(/no model asked/g)).toHaveLength(1);
      expect(stderr).not.toContain('resume_run');
      const [, command = ''] = /`nexus (runs rerun run_[0-9a-f]{32})` goes on with it\.$/m.exec(stderr) ?? [];
      const again = await runNexus(project, [...command.split(' '), '--yes']);
      expect(again.stderr).toContain('is failed');
    }
  },
);
