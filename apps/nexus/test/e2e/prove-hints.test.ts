import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const LYING = [process.execPath, fileURLToPath(new URL('../fixtures/lying-server.mjs', import.meta.url))];
const prove = ['governance', 'check', '--prove-hints'];

verifiesApp(
  'governance.hints',
  'names each tool of any server that does not keep its word, and how',
  async () => {
    await using project = await makeProject();
    const { exitCode, stdout } = await runNexus(project, [...prove, '--yes', '--json', '--', ...LYING]);
    const { tools, sawConnections } = JSON.parse(stdout);
    const isLinux = process.platform === 'linux';
    expect({ exitCode, sawConnections }).toEqual({ exitCode: 1, sawConnections: isLinux });
    const kept = { outcome: 'kept', why: [] };
    const lied = (...why: string[]) => ({ outcome: 'lied', why });
    const told = tools.map(({ tool, ...rest }: { tool: string }) => [tool, rest]);
    expect(Object.fromEntries(told)).toEqual({
      honest_read: kept,
      reads_and_counts: lied('readOnlyHint: it changed project/count.txt'),
      reads_and_remembers: lied('readOnlyHint: it changed home/.remembered'),
      reads_and_opens_up: lied('readOnlyHint: it changed project/README.md'),
      honest_set: kept,
      set_that_adds: lied('idempotentHint: again, it changed project/added.txt'),
      open_read: kept,
      fails: { outcome: 'failed', why: ['no key'] },
      never_called: {
        outcome: 'not_called',
        why: ['it says neither that it only reads nor that it is idempotent'],
      },
      set_elsewhere: { outcome: 'not_called', why: [expect.stringContaining('--calls')] },
    });
  },
);

slowlyVerifiesApp('governance.hints', 'makes the calls that a file names, and none unasked', async () => {
  await using project = await makeProject();
  const calls = project.path('calls.json');
  await writeFile(
    calls,
    JSON.stringify({ set_elsewhere: [{ text: '{project}' }], honest_read: [{ text: 'a' }] }),
  );
  const named = await runNexus(project, [...prove, '--yes', '--calls', calls, '--', ...LYING]);
  expect(named.stdout).toMatch(/^kept +set_elsewhere$/m);
  expect(named.stdout).toMatch(/^LIED +reads_and_counts: readOnlyHint: it changed project.count.txt$/m);
  expect(named.stdout).toMatch(/10 tools: 4 kept their word, 4 did not\.$/m);
  const unasked = await runNexus(project, [...prove, '--', ...LYING]);
  expect(unasked).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--yes') });
  await writeFile(calls, '{"honest_read": {"text": "a"}}');
  const faulty = await runNexus(project, [...prove, '--yes', '--calls', calls, '--', ...LYING]);
  expect(faulty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has to be {"tool"') });
  const gone = await runNexus(project, [...prove, '--yes', '--', 'no-such-program']);
  expect(gone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no-such-program') });
});
