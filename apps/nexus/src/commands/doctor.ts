import type { CheckResult } from '../doctor/check.ts';
import { checks } from '../doctor/checks.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

const MARKS = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' } as const;

export const doctor: Command = {
  usage: 'doctor',
  summary: 'check everything that can be wrong, and say the fix',
  needsTrust: true,
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
      if (!options.json) print(check.name, result);
      // What comes after would fail of the same fault.
      if (result.status === 'failed') break;
    }
    if (options.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    const isWell = results.every(({ status }) => status !== 'failed');
    if (!options.json) {
      process.stdout.write(isWell ? '\nAll is well.\n' : '\nMend this, then run `nexus doctor` again.\n');
    }
    return isWell ? 0 : 1;
  },
};

function toFailure(error: unknown): Omit<CheckResult, 'name'> {
  return { status: 'failed', saw: error instanceof Error ? error.message : String(error) };
}

function print(name: string, { status, saw, fix }: Omit<CheckResult, 'name'>): void {
  process.stdout.write(`${MARKS[status]}  ${name}: ${saw}\n`);
  if (fix) process.stdout.write(`      fix: ${fix}\n`);
}
