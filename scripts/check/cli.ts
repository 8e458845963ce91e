import { relative } from 'node:path';
import process from 'node:process';
import { findPostgres } from '../../packages/store/test/find-postgres.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { asked, readArguments } from '../workspace/read-arguments.ts';
import { judge, type Outcome } from './judge.ts';
import { longestFiles } from './longest-files.ts';
import { runStep } from './run-step.ts';
import { runSteps } from './run-steps.ts';
import { type Selection, selectSteps } from './select-steps.ts';
import { steps } from './steps.ts';
import { addCounts, closingLine } from './test-counts.ts';
import type { Failure } from './test-report.ts';
import { readReports, removeReports } from './test-reports.ts';
import { tryAgain } from './try-again.ts';

const HELP = `Runs what must hold before a change lands, each step with its time; CI runs the same.

  pnpm check                       every step
  pnpm check --only lint,types     some of them, in their own order
  pnpm check --also slow           every step, and one that is left out unless it is named

Steps:
${steps.map(({ name, proves }) => `  ${name.padEnd(14)} ${proves}`).join('\n')}
`;

const NO_POSTGRES =
  'No Postgres here, so the tests of shared databases were SKIPPED: install it (Debian: apt-get install postgresql) to run them.';

const { values } = readArguments(HELP, {
  options: { only: { type: 'string' }, also: { type: 'string' } },
});
await check({ only: values.only?.split(',') ?? [], also: values.also?.split(',') ?? [] });

async function check(selection: Selection): Promise<void> {
  const selected = asked(() => selectSteps(steps, selection));
  const workspace = openWorkspace();
  removeReports(workspace);
  const unsteady: Failure[] = [];
  const longest = new Map<string, string>();
  const outcomes = await runSteps(selected, {
    run: async (step) => {
      const ran = await runStep(step, workspace.root);
      const reports = readReports(workspace, step.report);
      const first = judge(step, ran, reports);
      longest.set(
        step.name,
        longestFiles(reports?.present.flatMap(({ times }) => times) ?? [], workspace.root),
      );
      const second = await tryAgain(step, first, workspace);
      unsteady.push(...second.unsteady);
      return second.outcome;
    },
    ended(outcome) {
      say(outcome);
      process.stdout.write(longest.get(outcome.step) ?? '');
    },
  });
  const named = ({ file, test, message }: Failure) =>
    `  ${relative(workspace.root, file)}${test ? ` > ${test}` : ''}: ${message}\n`;
  if (unsteady.length > 0) {
    process.stdout.write(`\nFailed among all others, passed alone:\n${unsteady.map(named).join('')}`);
  }
  const failed = outcomes.filter(({ status }) => status === 'failed');
  if (failed.length > 0) {
    process.stdout.write(`\nFailed: ${failed.map(({ step }) => step).join(', ')}\n`);
    process.stdout.write(failed.flatMap(({ failures }) => failures.map(named)).join(''));
  }
  const counts = addCounts(outcomes.map((outcome) => outcome.counts));
  if (counts.skipped > 0 && !findPostgres()) process.stdout.write(`\n${NO_POSTGRES}\n`);
  process.stdout.write(`${closingLine(counts)}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

function say({ step, status, durationMs, output }: Outcome): void {
  const seconds = (durationMs / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${step.padEnd(15)}${status.padEnd(7)} ${seconds} s\n`);
  if (status !== 'passed') process.stdout.write(`\n${output.trimEnd()}\n\n`);
}
