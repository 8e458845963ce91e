import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, wrongUse } from '../workspace/read-arguments.ts';
import { besideDbos, HEAD } from './beside-dbos/beside.ts';
import { campaigns } from './campaigns.ts';
import { bin } from './host.ts';
import { details, missed, table } from './report.ts';
import { type Outcome, runCampaign } from './run-campaign.ts';
import { longestLoss, measureWindow, windowTable } from './window.ts';

/** How long before a kill an answer may have come and be lost, where a server does nothing else. */
const IDLE_WINDOW_MS = 5;

const HELP = `Runs work of all eight kinds by real servers, hurts them, and counts what did not hold.

  pnpm chaos                          every campaign, one after the other
  pnpm chaos kills sqlite             these
  pnpm chaos restarts --runs 21       fewer runs, over as much less time
  pnpm chaos kills --seed 7           the same choices again; processes take their own time all the same
  pnpm chaos stops --window 50        how many milliseconds before a fault an answer may be lost
  pnpm chaos kills --slowness 4       over four times as much time, with as many runs: on a machine with other work
  pnpm chaos --idle                   kills a server that does nothing else right after an answer, 60 times
  pnpm chaos --beside-dbos            DBOS, installed for it, and the engine beside each other
  pnpm chaos away --keep              keeps logs and evidence though every bar is met

It ends with 1 when a run hung, was lost, failed, was told otherwise than on record, did something twice or has
another usage than was given out, or when a finished call was repeated outside the window.

Campaigns:
${campaigns.map(({ name, runs, about }) => `  ${name.padEnd(10)}${String(runs).padStart(4)} runs: ${about}`).join('\n')}
`;

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    seed: { type: 'string' },
    window: { type: 'string', default: '50' },
    slowness: { type: 'string', default: '1' },
    idle: { type: 'boolean', default: false },
    'beside-dbos': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
process.exitCode = await chaos();

async function chaos(): Promise<number> {
  const unknown = positionals.filter((name) => !campaigns.some((campaign) => campaign.name === name));
  if (unknown.length > 0) wrongUse(`no campaign ${unknown.join(', ')}`);
  if (process.platform === 'win32')
    throw new Error('Processes are stopped and killed by signals, which Windows has not.');
  if (!existsSync(new URL('../dist', `file://${bin}`)))
    throw new Error('The app is not built: run pnpm build.');
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('seed', values.seed);
  const runs = values.runs === undefined ? undefined : wholeNumber('runs', values.runs);
  if (values['beside-dbos']) {
    process.stdout.write(`${HEAD}\n`);
    await besideDbos(seed, (line) => process.stdout.write(`${line}\n`));
    return 0;
  }
  const windowMs = wholeNumber('window', values.window);
  const slowness = wholeNumber('slowness', values.slowness);
  const logs = mkdtempSync(join(tmpdir(), `nexus-chaos-logs-${seed}-`));
  if (values.idle) return idle({ seed, logs, times: runs ?? 60 });
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const chosen = campaigns.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const outcomes: Outcome[] = [];
  for (const campaign of chosen) {
    outcomes.push(
      await runCampaign(campaign, { seed, runs, windowMs, slowness, logs, signal: ending.signal, say }),
    );
  }
  const faults = outcomes.map((outcome) => details(outcome)).filter((text) => text !== '');
  say(`\n${table(outcomes)}\n`);
  for (const text of faults) say(text);
  const isMet = outcomes.every((outcome) => missed(outcome).length === 0);
  if (isMet && !values.keep) rmSync(logs, { recursive: true });
  else say(`Logs and evidence: ${logs}`);
  say(
    isMet
      ? `Every bar is met (seed ${seed}).`
      : `Not every bar is met. Again: pnpm chaos ${positionals.join(' ')} --seed ${seed}`,
  );
  return isMet ? 0 : 1;
}

/** What is lost by a kill of a server that has nothing else to do. */
async function idle(options: {
  readonly seed: number;
  readonly logs: string;
  readonly times: number;
}): Promise<number> {
  let isMet = true;
  for (const store of ['postgres', 'sqlite'] as const) {
    const shots = await measureWindow({ store, ...options });
    const longest = longestLoss(shots);
    isMet &&= longest <= IDLE_WINDOW_MS;
    process.stdout.write(
      `${windowTable(store, shots)}\n\nThe longest that an answer was under way when it was lost: ${longest.toFixed(1)} ms.\n\n`,
    );
  }
  process.stdout.write(
    isMet ? 'The bar is met.\n' : `The bar is ${IDLE_WINDOW_MS} ms (seed ${options.seed}).\n`,
  );
  return isMet ? 0 : 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) wrongUse(`--${name} takes a whole number, not ${text}`);
  return Number(text);
}
