import type { Act, Program } from './outside/program.ts';
import type { Errand, Scenario } from './scenario.ts';

const MAX_TRIES = 400;

/**
 * The least that still goes wrong in the same way: fewer faults, errands, acts and processes, one after another.
 * @param fails whether a scenario does
 */
export async function shrink(
  scenario: Scenario,
  fails: (scenario: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let least = scenario;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerThan(least)) {
      tries += 1;
      if (tries > MAX_TRIES) return least;
      if (!(await fails(smaller))) continue;
      least = smaller;
      isSmaller = true;
      break;
    }
  }
  return least;
}

function* smallerThan(scenario: Scenario): Generator<Scenario> {
  const { errands, faults } = scenario;
  for (const at of errands.keys())
    if (errands.length > 1) yield { ...scenario, errands: without(errands, at) };
  for (const at of faults.keys()) yield { ...scenario, faults: without(faults, at) };
  if (scenario.slots > 1) yield { ...scenario, slots: scenario.slots - 1 };
  if (scenario.isSkewed) yield { ...scenario, isSkewed: false };
  for (const [at, errand] of errands.entries()) {
    for (const smaller of smallerErrands(errand)) yield { ...scenario, errands: errands.with(at, smaller) };
  }
}

function* smallerErrands(errand: Errand): Generator<Errand> {
  const { cancelAfterMs, capTokens, ...rest } = errand;
  if (cancelAfterMs !== undefined) yield { ...rest, ...(capTokens === undefined ? {} : { capTokens }) };
  if (capTokens !== undefined) yield { ...rest, ...(cancelAfterMs === undefined ? {} : { cancelAfterMs }) };
  if (errand.isAskedTwice) yield { ...errand, isAskedTwice: false };
  for (const program of smallerPrograms(errand.program)) if (program.length > 0) yield { ...errand, program };
}

function* smallerPrograms(program: Program): Generator<Program> {
  for (const [at, act] of program.entries()) {
    yield without(program, at);
    for (const smaller of smallerActs(act))
      yield [...program.slice(0, at), ...smaller, ...program.slice(at + 1)];
  }
}

function* smallerActs(act: Act): Generator<Program> {
  if (act.act === 'together') {
    yield act.ways.flat();
    for (const [at, way] of act.ways.entries()) {
      for (const smaller of smallerPrograms(way)) yield [{ ...act, ways: act.ways.with(at, smaller) }];
    }
  }
  if (act.act === 'child' || act.act === 'call') {
    yield act.program;
    for (const program of smallerPrograms(act.program)) yield [{ ...act, program }];
  }
  if (act.act === 'model' && (act.isLong || act.failures)) {
    const { act: kind, tokens, ms } = act;
    yield [{ act: kind, tokens, ms }];
  }
}

function without<Item>(items: readonly Item[], at: number): readonly Item[] {
  return items.filter((_, index) => index !== at);
}

/** What went wrong, without what differs from world to world. */
export function sortOf(wrong: string): string {
  return wrong
    .replace(/\b(run|job)_[0-9a-f]+/g, '$1')
    .replace(/\b[A-H]\d+\b/g, 'P')
    .replace(/\d+(\.\d+)*/g, 'N')
    .replace(/The simulated database .*/, 'the database …');
}
