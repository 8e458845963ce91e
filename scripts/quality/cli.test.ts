import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../vitest.programs.ts';
import { cases, kinds } from './cases/cases.ts';
import { beginRecord } from './record.ts';
import { scriptedModel } from './scripted-model.ts';

const CLI = new URL('./cli.ts', import.meta.url);
const MODEL = 'anthropic:claude-sonnet-5-5';
const TIMEOUT_MS = 600_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-quality-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command, as one file. */
const command = async (args: readonly string[]) =>
  execa(process.execPath, [await bundleProgram(CLI), ...args], { reject: false });

/** The command as a person runs it: it finds the app and what it starts beside its own source. */
const commandOfSource = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  execa(process.execPath, ['--import', 'tsx', fileURLToPath(CLI), ...args], { reject: false, env });

describe('pnpm bench:quality', () => {
  it.each([
    { args: ['--nope'], says: "Unknown option '--nope'" },
    { args: [], says: 'name a --model, as provider:name; see --help.' },
    { args: ['--model', 'a:b', '--kind', 'bugs'], says: 'no kind bugs; there are bug, ' },
    { args: ['--model', 'a:b', '--cases', 'few'], says: '--cases takes a number above 0; see --help.' },
    { args: ['--replay', 'no/such.jsonl'], says: 'no/such.jsonl' },
  ])('says of $args what is wrong, in a line, with exit code 2', async ({ args, says }) => {
    const { exitCode, stderr, stdout } = await command(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr.split('\n')).toHaveLength(1);
  });

  it('prints the table of a record again, and names the line that is none', async () => {
    const file = join(folder, 'record.jsonl');
    const spent = { calls: 2, inputTokens: 10, outputTokens: 5, costUsd: 0.01, unpriced: 0 };
    const keep = beginRecord(file, { model: MODEL, isScripted: true });
    keep({ case: 'a', kind: 'bug', way: 'nexus', answer: 'x', score: { found: true }, spent, ms: 1 });
    const { exitCode, stdout } = await command(['--replay', file]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\| bug \| nexus \| 1 \| found 1\/1/);
    writeFileSync(file, '{"format":1,"model":"m","isScripted":true}\n{"case":');
    expect(await command(['--replay', file])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('record.jsonl:2 is no line of a record'),
    });
  });

  it('prints a whole record again: a row for each kind and way, with every case in it', async () => {
    const file = join(folder, 'whole.jsonl');
    const spent = { calls: 1, inputTokens: 10, outputTokens: 5, costUsd: 0.01, unpriced: 0 };
    const keep = beginRecord(file, { model: MODEL, isScripted: true });
    expect(cases.length).toBeGreaterThanOrEqual(40);
    for (const { id, kind } of cases)
      for (const way of ['nexus', 'direct'] as const)
        keep({ case: id, kind, way, answer: 'x', score: { right: way === 'nexus' }, spent, ms: 1 });
    const { stdout } = await command(['--replay', file]);
    for (const kind of kinds) {
      const count = cases.filter((each) => each.kind === kind).length;
      expect(stdout).toContain(`| ${kind} | nexus | ${count} | right ${count}/${count}`);
      expect(stdout).toContain(`| ${kind} | direct | ${count} | right 0/${count}`);
    }
  });

  it.skipIf(process.env.NEXUS_TEST_NPM === undefined)(
    'fetches a case, has it done both ways, tells and records it (NEXUS_TEST_NPM=1: npm is asked)',
    async () => {
      const file = join(folder, 'run.jsonl');
      await using endpoint = await scriptedModel({
        ...{ file: 'index.js', line: 1, findsFault: false, isMet: true, answer: 'I do not know.' },
        mends: { from: 'a', to: 'a' },
      });
      const { exitCode, stdout } = await commandOfSource(
        ['--model', MODEL, '--kind', 'question', '--cases', '1', '--record', file],
        {
          ...{ HOME: folder, USERPROFILE: folder },
          ...{ ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: endpoint.url },
        },
      );
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/\(nexus\): ✗ right/);
      expect(stdout).toMatch(/\(direct\): ✗ right/);
      const table = stdout.slice(stdout.indexOf('\n\n')).trim();
      expect((await command(['--replay', file])).stdout).toContain(table.split('\n').at(-1));
    },
    TIMEOUT_MS,
  );
});
