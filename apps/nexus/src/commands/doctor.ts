import type { CheckResult } from '../doctor/check.ts';
import { checks } from '../doctor/checks.ts';
import { count } from '../terminal/count.ts';
import { print, printJson } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

const MARKS = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' } as const;

export const doctor: Command = {
  usage: 'doctor',
  summary: 'check everything that can be wrong, and say the fix',
  needsTrust: true,
  showsTrust: true,
  options: [
    { flags: '--connect', description: 'also connect to every server of the toolboxes' },
    jsonOption,
    configOption,
  ],
  examples: ['doctor', 'doctor --connect', 'doctor --json'],
  async run(_args, options) {
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = await check
        .run({ config: text(options, 'config'), connect: options.connect === true })
        .catch(toFailure);
      results.push({ name: check.name, ...result });
      if (!options.json) print(describe(check.name, result));
      // What comes after would fail of the same fault.
      if (result.status === 'failed') break;
    }
    if (options.json) printJson(results);
    const isWell = results.every(({ status }) => status !== 'failed');
    if (!options.json) {
      print(['', verdict(results)]);
    }
    return isWell ? 0 : 1;
  },
};

function verdict(results: readonly CheckResult[]): string {
  if (results.some(({ status }) => status === 'failed')) return 'Mend this, then run `nexus doctor` again.';
  const warned = results.filter(({ status }) => status === 'warning').map(({ name }) => name);
  if (warned.length === 0) return 'All is well.';
  return `Nothing fails. ${count(warned.length, 'warning')}: ${warned.join(', ')}.`;
}

function toFailure(error: unknown): Omit<CheckResult, 'name'> {
  return { status: 'failed', saw: error instanceof Error ? error.message : String(error) };
}

function describe(name: string, { status, saw, fix }: Omit<CheckResult, 'name'>): string[] {
  return [`${MARKS[status]}  ${name}: ${saw}`, ...(fix ? [`      fix: ${fix}`] : [])];
}
