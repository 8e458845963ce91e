import { openTables } from './database/template.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { shrink, sortOf } from './shrink.ts';
import { simulate } from './simulate.ts';

/** What `scripts/simulate` asks of its processes. */
export type Request =
  | { readonly what: 'seeds'; readonly from: number; readonly count: number }
  | { readonly what: 'show'; readonly seed: number; readonly isTraced: boolean; readonly isShrunk: boolean };

export interface Failure {
  readonly seed: number;
  readonly wrongs: readonly string[];
  readonly sort: string;
}

export type Reply =
  | {
      readonly what: 'seeds';
      readonly count: number;
      readonly statements: number;
      /** Of all their traces, in whatever order. */
      readonly hash: number;
      readonly failures: readonly Failure[];
    }
  | { readonly what: 'show'; readonly text: string };

const STACK_LINES = Error.stackTraceLimit;

const database = await openTables();
let escaped: unknown;
process.on('unhandledRejection', (error) => {
  escaped ??= error;
});

async function run(scenario: Scenario, isTraced = false) {
  escaped = undefined;
  const result = await simulate(scenario, database, { isTraced });
  if (escaped === undefined) return result;
  const text = escaped instanceof Error ? (escaped.stack ?? escaped.message) : String(escaped);
  return { ...result, wrongs: [...result.wrongs, `an error was caught by nobody: ${text}`] };
}

/** Worlds throw much that is caught, and where one goes wrong it is shown by a run of its own. */
async function runSeeds(from: number, count: number): Promise<Reply> {
  Error.stackTraceLimit = 0;
  const failures: Failure[] = [];
  let statements = 0;
  let hash = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await run(scenarioOf(seed));
    statements += result.statements;
    hash ^= Number.parseInt(result.hash, 16);
    const [first] = result.wrongs;
    if (first !== undefined) failures.push({ seed, wrongs: result.wrongs, sort: sortOf(first) });
  }
  return { what: 'seeds', count, statements, hash, failures };
}

async function show({ seed, isTraced, isShrunk }: Request & { what: 'show' }): Promise<Reply> {
  Error.stackTraceLimit = STACK_LINES;
  const whole = scenarioOf(seed);
  const first = await run(whole);
  const sort = first.wrongs[0] === undefined ? undefined : sortOf(first.wrongs[0]);
  const isSame = async (scenario: Scenario) => {
    const [wrong] = (await run(scenario)).wrongs;
    return wrong !== undefined && sortOf(wrong) === sort;
  };
  const scenario = isShrunk && sort !== undefined ? await shrink(whole, isSame) : whole;
  const result = await run(scenario, isTraced);
  const { hash, steps, statements, virtualMs } = result;
  const text = [
    ...result.lines,
    JSON.stringify(scenario, null, 1),
    `seed ${seed}: ${steps} steps, ${statements} statements, ${virtualMs} ms of its own time, trace ${hash}`,
    ...(result.wrongs.length === 0 ? ['all held'] : result.wrongs.map((wrong) => `WRONG: ${wrong}`)),
  ].join('\n');
  return { what: 'show', text };
}

process.on('message', (request: Request) => {
  const reply = request.what === 'seeds' ? runSeeds(request.from, request.count) : show(request);
  void reply.then((made) => process.send?.(made));
});
