import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bin } from '../harness/app.ts';
import { makeProject } from '../harness/project.ts';
import { run, runNexus } from '../harness/run-nexus.ts';

const ASKS = `name: asks
description: Asks one question, then four.
inputs:
  - { name: items, type: array, default: [1, 2, 3, 4], description: Of which it asks }
steps:
  - { id: a, uses: ask, with: { message: 'First?' } }
  - id: b
    uses: ask
    needs: [a]
    forEach: \${{ inputs.items }}
    with: { message: 'Which?', fields: [{ name: n, type: integer }] }
`;

it.skipIf(process.platform === 'win32')(
  'a command whose reader has gone leaves the run that it goes on with in good order, however often',
  async () => {
    await using project = await makeProject({ files: { '.nexus/workflows/asks.yaml': ASKS } });
    const begun = await runNexus(project, ['run', 'asks']);
    expect(begun.exitCode, begun.stderr).toBe(75);
    const { runs } = JSON.parse((await runNexus(project, ['runs', '--json'])).stdout);
    const [{ id }] = runs;
    // Its reader goes after the first line; the command has the run in its hands then.
    for (const item of [0, 1, 2, 3]) {
      const answer = `'${process.execPath}' '${bin}' runs answer ${id} n=${item} --question 'b#1[${item}]' | grep -qi kept`;
      const { exitCode, stderr } = await run(project, 'sh', ['-c', answer]);
      expect(exitCode, stderr).toBe(0);
    }
    const { status, asks } = JSON.parse((await runNexus(project, ['runs', id, '--json'])).stdout);
    expect({ status, asks }).toMatchObject({ status: 'waiting', asks: [{ message: 'First?' }] });
  },
);

it.skipIf(process.platform === 'win32')(
  'a server without a host whose reader has gone ends in order, and says so by its exit code',
  async () => {
    await using project = await makeProject();
    const serve = `'${process.execPath}' '${bin}' serve --verbose 2>&1; echo $? > ended`;
    const { exitCode } = await run(project, 'sh', ['-c', `( ${serve} ) | head -1`]);
    expect(exitCode).toBe(0);
    expect(await readFile(project.path('ended'), 'utf8')).toBe('1\n');
  },
);
