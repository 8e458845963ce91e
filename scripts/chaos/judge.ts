import type { Asked, Told } from './ask.ts';
import type { Call } from './calls.ts';
import type { Fault } from './faults.ts';
import type { Recorded } from './record.ts';
import { HAS_EFFECT, workKindOf } from './work-kinds.ts';

/** What is held against a run. */
export type Charge =
  | 'hung'
  | 'lost'
  | 'failed'
  /** Three servers died with it in hand and it got no step further: ended, as is promised, and said so. */
  | 'crashed'
  | 'wrong answer'
  | 'wrong usage'
  | 'doubled'
  | 'misreported'
  | 'repeated';

/** What is promised to come of it is told, and misses no bar. */
export const PROMISED: ReadonlySet<Charge> = new Set(['crashed']);

export interface Finding {
  readonly charge: Charge;
  readonly mark: string;
  readonly kind: string;
  readonly text: string;
}

/** A finished call that was made again. */
export interface Repeated {
  readonly mark: string;
  readonly key: string;
  /** From the answer's last byte to the fault that took it; undefined where no fault did. */
  readonly afterMs: number | undefined;
}

export interface Evidence {
  readonly asked: readonly Asked[];
  readonly calls: readonly Call[];
  readonly faults: readonly Fault[];
  readonly record: ReadonlyMap<string, Recorded>;
  /** How many calls of a kind's run there are when nothing is in its way. */
  readonly callsOfKind: ReadonlyMap<string, number>;
  /** How long before a fault an answer may have come and not be on record yet. */
  readonly windowMs: number;
}

export function judge(evidence: Evidence): { findings: Finding[]; repeated: Repeated[] } {
  const repeated = repeatedCalls(evidence);
  const findings = evidence.asked.flatMap((asked) => {
    const { item } = asked;
    const charges = chargesOf(asked, evidence);
    for (const { afterMs } of repeated.filter(({ mark }) => mark === item.mark)) {
      if (afterMs !== undefined && afterMs <= evidence.windowMs) continue;
      const when =
        afterMs === undefined ? 'with no fault between' : `${afterMs.toFixed(1)} ms before a fault`;
      charges.push(['repeated', `a call that was answered ${when} was made again`]);
    }
    return charges.map(([charge, text]) => ({ charge, text, mark: item.mark, kind: item.kind }));
  });
  return { findings, repeated };
}

/** So many servers may die with a run in hand that gets no further. */
const DEATHS = 3;

type Charged = [charge: Charge, text: string];

function chargesOf(asked: Asked, { calls, faults, record, callsOfKind, windowMs }: Evidence): Charged[] {
  const { item, told, jobId } = asked;
  const kind = workKindOf(item.kind);
  const recorded = record.get(item.mark);
  const [word] = told;
  const runs = recorded?.runs.filter((run) => run.kind === kind.runKind) ?? [];
  const standing = `on record: ${[...runs, ...(recorded?.jobs ?? [])].map(({ id, status }) => `${id} ${status}`).join(', ') || 'nothing'}`;
  if (!word) {
    const isLost = runs.length === 0 && (recorded?.jobs.length ?? 0) === 0;
    const failed = runs.find(({ status }) => status === 'failed');
    if (failed) return [['failed', `only errors to try again by, ${standing}: ${failed.error}`]];
    const retried = [...asked.retried].map(([what, times]) => `${what} ${times}x`).join(', ');
    return [[isLost ? 'lost' : 'hung', `no last word; ${standing}; ${retried}`]];
  }
  const charges: Charged[] = [];
  if (told.some((other) => wordOf(other) !== wordOf(word))) charges.push(['misreported', 'two last words']);
  if (jobId !== undefined && !recorded?.jobs.some(({ id }) => id === jobId))
    charges.push(['lost', `job ${jobId} is not on record`]);
  if ('error' in word) {
    const { code, message } = word.error;
    if (code === 'NEXUS_CRASHED' && runs.every(({ status }) => status === 'failed')) {
      const kills = faults.filter(({ kind }) => kind === 'kill');
      const answers = calls.filter(({ mark }) => mark === item.mark).map((call) => call.answeredAt ?? 0);
      // What may be lost by a kill got nobody a step further.
      const last = Math.max(
        0,
        ...answers.filter((answer) => !kills.some(({ at }) => at >= answer && at <= answer + windowMs)),
      );
      const deaths = kills.filter(({ at }) => at > last).length;
      if (deaths >= DEATHS) return [['crashed', standing]];
    }
    charges.push([code === 'NEXUS_NOT_FOUND' ? 'lost' : 'failed', `${code}: ${message} (${standing})`]);
    if (runs.some(({ status }) => status === 'completed'))
      charges.push(['misreported', `told ${code}, ${standing}`]);
    return charges;
  }
  if (!kind.isRight(word.answer, item.mark))
    charges.push(['wrong answer', JSON.stringify(word.answer).slice(0, 300)]);
  if (runs.length !== 1) charges.push(['doubled', `${runs.length} runs: ${standing}`]);
  const own = runs.find(({ id }) => id === word.answer.runId);
  if (own?.status !== 'completed') charges.push(['misreported', `told of ${word.answer.runId}, ${standing}`]);
  const effects = HAS_EFFECT.has(item.kind) ? 1 : 0;
  if ((recorded?.effects ?? 0) !== effects) charges.push(['doubled', `${recorded?.effects} effects`]);
  const charged = chargedTo(item.mark, calls);
  const usual = callsOfKind.get(item.kind);
  if (usual !== undefined && charged.size !== usual)
    charges.push(['doubled', `${charged.size} calls of its own keys, usually ${usual}`]);
  const tokens = [...charged.values()].reduce((sum, each) => sum + each, 0);
  if (recorded?.tokens !== tokens)
    charges.push(['wrong usage', `${recorded?.tokens} tokens on record, ${tokens} given out`]);
  if ((recorded?.unsettled ?? 0) > 0)
    charges.push(['wrong usage', `${recorded?.unsettled} calls never settled`]);
  const said = tokensSaid(word.answer);
  if (said !== undefined && said !== tokens)
    charges.push(['wrong usage', `${said} tokens in the answer, ${tokens} given out`]);
  return charges;
}

const wordOf = (told: Told) => JSON.stringify('answer' in told ? told.answer : told.error);

/** The tokens of each call that was answered, by its key: whoever repeats one is not charged again. */
function chargedTo(mark: string, calls: readonly Call[]): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const call of calls)
    if (call.mark === mark && call.tokens !== undefined) tokens.set(call.key, call.tokens);
  return tokens;
}

function tokensSaid({ usage }: Readonly<Record<string, unknown>>): number | undefined {
  if (!usage) return undefined;
  const { inputTokens, outputTokens } = usage as { inputTokens: number; outputTokens: number };
  return inputTokens + outputTokens;
}

/** Faults that take what a server has in memory or in its sockets, or keep it from writing it down. */
const TAKES = new Set<Fault['kind']>(['kill', 'stop', 'silence']);

/**
 * Calls that were answered and made again, after their answer or beside it. An answer that came while its server was
 * stopped, or to one that was dead, reached nobody.
 */
export function repeatedCalls({ calls, faults }: Pick<Evidence, 'calls' | 'faults'>): Repeated[] {
  const taking = faults.filter(({ kind }) => TAKES.has(kind));
  const byKey = new Map<string, Call[]>();
  for (const call of calls) byKey.set(call.key, [...(byKey.get(call.key) ?? []), call]);
  return [...byKey.values()].flatMap((same) =>
    same.flatMap((call, index) => {
      const { mark, key, askedAt, answeredAt } = call;
      const again = same[index + 1];
      if (answeredAt === undefined || again === undefined) return [];
      const own = taking.filter(({ place }) => place === call.place);
      if (own.some((fault) => hasTaken(fault, askedAt, answeredAt))) return [];
      if (again.askedAt < answeredAt) return [{ mark, key, afterMs: undefined }];
      const next = own.map(({ at }) => at).filter((at) => at >= answeredAt && at <= again.askedAt);
      return [{ mark, key, afterMs: next.length === 0 ? undefined : Math.min(...next) - answeredAt }];
    }),
  );
}

function hasTaken({ kind, at, endedAt }: Fault, askedAt: number, answeredAt: number): boolean {
  if (kind === 'kill') return at >= askedAt && at <= answeredAt;
  return at <= answeredAt && answeredAt <= endedAt;
}
