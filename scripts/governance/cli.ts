import process from 'node:process';
import { asked, readArguments } from '../workspace/read-arguments.ts';
import type { Finding } from './check.ts';
import { checks } from './checks.ts';
import { loadSubject } from './load-subject.ts';
import { selectChecks } from './select-checks.ts';
import { update } from './update.ts';

const HELP = `Holds the code, the running server, the lock and the docs to each other.

  pnpm governance check                    every check
  pnpm governance check --only layers      one, or several with commas
  pnpm governance update                   writes lock and generated docs anew, prints what changed

Checks:
${checks.map(({ name, proves }) => `  check:${name.padEnd(22)} ${proves}`).join('\n')}
`;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { only: { type: 'string' } },
});
const [action] = positionals;

if (action === 'check') await check(values.only?.split(',') ?? []);
else if (action === 'update') print(`${(await update(loadSubject())).join('\n')}\n`);
else {
  print(HELP);
  process.exitCode = 2;
}

async function check(names: readonly string[]): Promise<void> {
  const subject = loadSubject();
  let count = 0;
  for (const each of asked(() => selectChecks(checks, names))) {
    const findings = await each.run(subject);
    count += findings.length;
    print(`check:${each.name.padEnd(22)} ${findings.length === 0 ? 'ok' : `${findings.length} found`}\n`);
    print(findings.map(describe).join(''));
  }
  if (count > 0) process.exitCode = 1;
}

function describe({ where, what, fix }: Finding): string {
  return `  ${where}: ${what}\n    fix: ${fix}\n`;
}

function print(text: string): void {
  process.stdout.write(text);
}
