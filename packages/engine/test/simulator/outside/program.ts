import type { Chance } from '../ground/chance.ts';

/** What a run of the simulator does, in order; named by where it stands. */
export type Act =
  | {
      readonly act: 'model';
      readonly tokens: number;
      readonly ms: number;
      readonly isLong?: boolean;
      readonly failures?: number;
      /** What is made of the answer, before the step ends. */
      readonly afterMs?: number;
    }
  | {
      readonly act: 'effect';
      readonly ms: number;
      /** Whether it fails its run where nobody knows its outcome. */
      readonly isTold?: boolean;
    }
  | { readonly act: 'sleep'; readonly ms: number }
  | { readonly act: 'ask'; readonly timeoutMs?: number; readonly isAbout?: boolean }
  | { readonly act: 'value' | 'event' }
  | {
      readonly act: 'breaks';
      /** How often it fails. Its run goes on all the same, and fails at its end. */
      readonly times: number;
    }
  | { readonly act: 'together'; readonly ways: readonly Program[] }
  | { readonly act: 'child'; readonly program: Program; readonly isGuest?: boolean }
  | { readonly act: 'call'; readonly program: Program; readonly isJob: boolean };

export type Program = readonly Act[];

/** What a seed may make programs of. */
export type Appetite = Readonly<Record<Exclude<Act['act'], 'breaks'>, number>> & { readonly breaks?: number };

export function drawProgram(chance: Chance, appetite: Appetite, size: number, depth = 0): Program {
  const acts: Act[] = [];
  let left = size;
  while (left > 0) {
    const act = drawAct(chance, appetite, left, depth);
    left -= sizeOf([act]);
    acts.push(act);
  }
  return acts;
}

function drawAct(chance: Chance, appetite: Appetite, left: number, depth: number): Act {
  const wanted = Object.entries(appetite) as [Act['act'], number][];
  const isBranch = (act: Act['act']) => act === 'together' || act === 'child' || act === 'call';
  const open = wanted.filter(
    ([act, weight]) => weight > 0 && (depth < 2 || !isBranch(act)) && (left > 1 || !isBranch(act)),
  );
  const act = chance.pick(open.flatMap(([each, weight]) => Array<Act['act']>(weight).fill(each)));
  const inner = () => drawProgram(chance, appetite, chance.whole(1, Math.min(3, left - 1)), depth + 1);
  switch (act) {
    case 'model': {
      const failures = chance.is(0.1) ? chance.whole(1, 2) : 0;
      return {
        act,
        tokens: chance.whole(10, 100),
        ms: chance.is(0.2) ? chance.between(1_000, 6_000) : chance.between(5, 400),
        ...(chance.is(0.15) ? { isLong: true } : {}),
        ...(failures > 0 ? { failures } : {}),
      };
    }
    case 'effect':
      return { act, ms: chance.between(1, 300) };
    case 'sleep':
      return { act, ms: chance.is(0.15) ? chance.between(31_000, 40_000) : chance.between(10, 3_000) };
    case 'ask':
      return {
        act,
        ...(chance.is(0.2) ? { timeoutMs: Math.round(chance.between(50, 5_000)) } : {}),
        ...(chance.is(0.3) ? { isAbout: true } : {}),
      };
    case 'breaks':
      return { act, times: chance.whole(1, 2) };
    case 'together':
      return { act, ways: Array.from({ length: chance.whole(2, 3) }, inner) };
    case 'child':
      return { act, program: inner() };
    case 'call':
      return { act, program: inner(), isJob: chance.is(0.5) };
    default:
      return { act };
  }
}

/** Acts in all. */
function sizeOf(program: Program): number {
  return program.reduce((sum, act) => {
    if (act.act === 'together') return sum + 1 + act.ways.reduce((inner, way) => inner + sizeOf(way), 0);
    if (act.act === 'child' || act.act === 'call') return sum + 1 + sizeOf(act.program);
    return sum + 1;
  }, 0);
}

type ModelAct = Act & { act: 'model' };

/** The same program with other calls of models. */
export function withModels(program: Program, change: (act: ModelAct) => ModelAct): Program {
  return withActs(program, (act) => (act.act === 'model' ? change(act) : act));
}

/** The same program with others of the acts that hold no program themselves. */
export function withActs(program: Program, change: (act: Act) => Act): Program {
  return program.map((act) => {
    if (act.act === 'together') return { ...act, ways: act.ways.map((way) => withActs(way, change)) };
    if (act.act === 'child' || act.act === 'call') return { ...act, program: withActs(act.program, change) };
    return change(act);
  });
}

/** The same program, whose children are of a plugin that servers may be without, now and then. */
export function withGuests(program: Program, chance: Chance): Program {
  return program.map((act) => {
    if (act.act === 'together') return { ...act, ways: act.ways.map((way) => withGuests(way, chance)) };
    if (act.act === 'call') return { ...act, program: withGuests(act.program, chance) };
    if (act.act !== 'child') return act;
    return { ...act, program: withGuests(act.program, chance), isGuest: chance.is(0.5) };
  });
}

/** What a run of it asks people, by name. */
export function asksOf(program: Program, path = ''): readonly (Act & { act: 'ask'; name: string })[] {
  return program.flatMap((act, at) => {
    const name = path === '' ? `${at}` : `${path}.${at}`;
    if (act.act === 'ask') return [{ ...act, name }];
    return act.act === 'together' ? act.ways.flatMap((way, n) => asksOf(way, `${name}.${n}`)) : [];
  });
}

/** Tokens that its calls charge when each is made once. */
export function tokensOf(program: Program): number {
  return program.reduce((sum, act) => {
    if (act.act === 'model') return sum + act.tokens;
    if (act.act === 'together') return sum + act.ways.reduce((inner, way) => inner + tokensOf(way), 0);
    if (act.act === 'child' || act.act === 'call') return sum + tokensOf(act.program);
    return sum;
  }, 0);
}

export function answerAt(path: string, isLong: boolean): string {
  return isLong ? `${path} `.padEnd(20_000, `said at length `) : `said at ${path}`;
}

/**
 * Whether a run's output is what its program comes to, whoever ran it however often.
 * @returns what is wrong with it
 */
export function outputFault(program: Program, output: unknown, path = ''): string | undefined {
  if (!Array.isArray(output)) return `${path || 'the run'} answers ${brief(output)}`;
  if (output.length !== program.length)
    return `${path || 'the run'} has ${output.length} answers to ${program.length} acts`;
  for (const [at, act] of program.entries()) {
    const fault = actFault(act, output[at], path === '' ? `${at}` : `${path}.${at}`);
    if (fault) return fault;
  }
  return undefined;
}

function actFault(act: Act, said: unknown, path: string): string | undefined {
  const wrong = `${act.act} ${path} answers ${brief(said)}`;
  switch (act.act) {
    case 'model':
      return said === answerAt(path, act.isLong ?? false) ? undefined : wrong;
    case 'effect':
      return said === 'done' || said === 'unknown' ? undefined : wrong;
    case 'ask': {
      const { action, content } = Object(said) as { action?: string; content?: { value?: string } };
      if (action === 'cancel' && act.timeoutMs !== undefined) return undefined;
      return action === 'accept' && content?.value === path ? undefined : wrong;
    }
    case 'together': {
      if (!Array.isArray(said) || said.length !== act.ways.length) return wrong;
      for (const [at, way] of act.ways.entries()) {
        const fault = outputFault(way, said[at], `${path}.${at}`);
        if (fault) return fault;
      }
      return undefined;
    }
    case 'child':
    case 'call':
      return outputFault(act.program, said, '')?.replace(/^/, `${path}: `);
    default:
      return said === null ? undefined : wrong;
  }
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 120);
}
