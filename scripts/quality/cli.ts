import { asked, readArguments, wrongUse } from '../workspace/read-arguments.ts';
import { cases, type Kind, kinds } from './cases/cases.ts';
import { beginRecord, type Outcome, readRecord, ways } from './record.ts';
import { tableOf } from './table.ts';

const HELP = `Measures what Nexus finds, mends and answers, on cases with a known truth, beside one model alone.

  pnpm bench:quality --model provider:name            all ${cases.length} cases, both ways
  pnpm bench:quality --model … --kind bug,question    some kinds: ${kinds.join(', ')}
  pnpm bench:quality --model … --way direct           one way alone: ${ways.join(', ')}
  pnpm bench:quality --model … --cases 10             at most so many, of each kind in turn
  pnpm bench:quality --model … --max-cost 2           begins nothing more once that many dollars are spent (5)
  pnpm bench:quality --model … --max-tokens 500000    or so many tokens (5000000); for models without a price
  pnpm bench:quality --model … --record FILE          keeps each answer and its score
  pnpm bench:quality --replay FILE                    the table of a record: no model, no network
  pnpm bench:quality --list                           the cases

The model is any that \`nexus models\` lists here. Packages are fetched by npm once, into a cache outside of the repository.
`;

const { values } = readArguments(HELP, {
  options: {
    model: { type: 'string' },
    kind: { type: 'string' },
    way: { type: 'string' },
    cases: { type: 'string' },
    'max-cost': { type: 'string', default: '5' },
    'max-tokens': { type: 'string', default: '5000000' },
    record: { type: 'string' },
    replay: { type: 'string' },
    list: { type: 'boolean' },
  },
});
const print = (text: string) => process.stdout.write(`${text}\n`);

if (values.list) for (const { id, kind } of cases) print(`${kind}\t${id}`);
else if (values.replay !== undefined) print(tableOf(asked(() => readRecord(String(values.replay)))));
else if (values.model === undefined) wrongUse('name a --model, as provider:name');
else await bench(values.model);

async function bench(model: string): Promise<void> {
  const chosen = some(among('kind', kinds), values.cases === undefined ? cases.length : amount('cases'));
  const outcomes: Outcome[] = [];
  const keep =
    values.record === undefined ? undefined : beginRecord(values.record, { model, isScripted: false });
  // Loads the app and its plugins, which nothing else here needs.
  const { runCases } = await import('./run.ts');
  const left = await runCases(chosen, {
    model,
    env: {},
    only: among('way', ways),
    cap: { costUsd: amount('max-cost'), tokens: amount('max-tokens') },
    told(outcome) {
      outcomes.push(outcome);
      keep?.(outcome);
      const score = Object.entries(outcome.score).map(([name, isRight]) => `${isRight ? '✓' : '✗'} ${name}`);
      print(`${outcome.case} (${outcome.way}): ${outcome.failure ?? score.join(', ')}`);
    },
  });
  print(`\n${tableOf({ format: 1, model, isScripted: false, outcomes })}`);
  if (left.length > 0) print(`\nLeft out, since the cap was reached: ${left.join(', ')}.`);
}

/** What an option names of what there is; without it, all. */
function among<Name extends string>(option: 'kind' | 'way', there: readonly Name[]): readonly Name[] {
  const named = values[option]?.split(',') ?? there;
  const unknown = named.filter((each) => !there.some((name) => name === each));
  if (unknown.length > 0) wrongUse(`no ${option} ${unknown.join(', ')}; there are ${there.join(', ')}`);
  return there.filter((name) => named.includes(name));
}

/** The first of each kind, then the second, so that a few are of all. */
function some(wanted: readonly Kind[], count: number) {
  const rows = wanted.map((kind) => cases.filter((each) => each.kind === kind));
  const depth = Math.max(0, ...rows.map(({ length }) => length));
  const inTurn = Array.from({ length: depth }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
  return inTurn.slice(0, count);
}

function amount(name: 'cases' | 'max-cost' | 'max-tokens'): number {
  const value = Number(values[name]);
  if (!(value > 0)) wrongUse(`--${name} takes a number above 0`);
  return value;
}
