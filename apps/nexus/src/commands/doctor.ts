import { counted } from '@nexus/primitives';
import type { Check, CheckResult } from '../doctor/check.ts';
import { checks } from '../doctor/checks.ts';
import { print, printJson } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

const MARKS = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' } as const;

export const doctor: Command = {
  usage: 'doctor',
  summary: 'check everything that can be wrong, and say how to mend it',
  needsTrust: true,
  showsTrust: true,
  options: [
    {
      flags: '--connect',
      description: 'also connect to every server of the toolboxes, and ask every source',
    },
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
      if (result.status === 'failed' && !result.isAlone) break;
    }
    if (options.json) printJson(results.map(({ isAlone: _, ...told }) => told));
    const isWell = results.every(({ status }) => status !== 'failed');
    if (!options.json) {
      print(['', verdict(results)]);
    }
    return isWell ? 0 : 1;
  },
};

function verdict(results: readonly CheckResult[]): string {
  const named = (wanted: CheckResult['status']) =>
    results.filter(({ status }) => status === wanted).map(({ name }) => name);
  const [failed, warned] = [named('failed'), named('warning')];
  const warnings = warned.length === 0 ? '' : ` ${counted(warned.length, 'warning')}: ${warned.join(', ')}.`;
  if (failed.length > 0)
    return `${failed.join(' and ')} failed.${warnings} Mend what failed, then run \`nexus doctor\` again.`;
  return warnings === '' ? 'All is well.' : `Nothing fails.${warnings}`;
}

function toFailure(error: unknown): Awaited<ReturnType<Check['run']>> {
  return { status: 'failed', saw: error instanceof Error ? error.message : String(error) };
}

function describe(name: string, { status, saw, fix }: Omit<CheckResult, 'name'>): string[] {
  return [`${MARKS[status]}  ${name}: ${saw}`, ...(fix ? [`      fix: ${fix}`] : [])];
}
