import { dollars } from '@nexus/plugin-sdk';
import { type Finding, RUN_URI, type Sample } from './sample.ts';

/** A share of this, or more, is often. */
export const OFTEN = 0.2;
/** So many times as long as before, and so much longer, is slow. */
const SLOWER = 1.5;
const SLOWER_BY_MS = 500;
/** A share of all cost. */
const COSTLY = 0.3;
const MOST_LINKS = 3;

/**
 * What samples show, by counting alone: no model judges. The worst first within each kind.
 * @param minimum of a subject, below which nothing is said of it
 */
export function findIn(samples: readonly Sample[], minimum: number): Finding[] {
  const subjects = [...bySubject(samples)].filter(([, of]) => of.length >= minimum);
  const total = samples.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
  const all = (find: (subject: string, of: readonly Sample[]) => Finding | undefined) =>
    subjects
      .flatMap(([subject, of]) => find(subject, of) ?? [])
      .sort((one, other) => other.count / other.of - one.count / one.of || other.of - one.of);
  return [
    ...all(failedOften),
    ...all((subject, of) => slower(subject, of, minimum)),
    ...all((subject, of) => costly(subject, of, total)),
    ...all(sentBack),
  ];
}

function bySubject(samples: readonly Sample[]): ReadonlyMap<string, Sample[]> {
  const found = new Map<string, Sample[]>();
  for (const sample of samples) {
    const of = found.get(sample.subject);
    if (of) of.push(sample);
    else found.set(sample.subject, [sample]);
  }
  return found;
}

function failedOften(subject: string, of: readonly Sample[]): Finding | undefined {
  const failed = of.filter(({ code }) => code !== undefined);
  if (failed.length / of.length < OFTEN) return undefined;
  const codes = new Map<string, number>();
  for (const { code = '' } of failed) codes.set(code, (codes.get(code) ?? 0) + 1);
  const named = [...codes].sort((one, other) => other[1] - one[1]).map(([code, count]) => `${code} ${count}`);
  return found('failed', subject, { some: failed, of, detail: named.join(', ') });
}

/** The newer half against the older one, by what nineteen of twenty stay below. */
function slower(subject: string, of: readonly Sample[], minimum: number): Finding | undefined {
  const well = of.filter(({ code }) => code === undefined).sort((one, other) => one.startMs - other.startMs);
  if (well.length < 2 * minimum) return undefined;
  const half = Math.floor(well.length / 2);
  const [older, newer] = [well.slice(0, half), well.slice(half)];
  const [before, now] = [p95(older), p95(newer)];
  if (now < before * SLOWER || now - before < SLOWER_BY_MS) return undefined;
  const detail = `95 of 100 took at most ${Math.round(before)} ms, and now ${Math.round(now)} ms`;
  return found('slow', subject, { some: newer.filter(({ ms }) => ms > before), of: newer, detail });
}

function costly(subject: string, of: readonly Sample[], total: number): Finding | undefined {
  const cost = of.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
  if (cost <= 0 || cost / total < COSTLY) return undefined;
  const dearest = [...of].sort((one, other) => (other.costUsd ?? 0) - (one.costUsd ?? 0));
  const priced = of.filter(({ costUsd }) => costUsd !== undefined).length;
  const rest = priced === of.length ? '' : `; what ${of.length - priced} cost is not known`;
  const detail = `${dollars(cost)} of ${dollars(total)} in all, ${dollars(cost / priced)} each${rest}`;
  return { ...found('costly', subject, { some: of, of, detail }), links: linksOf(dearest) };
}

function sentBack(subject: string, of: readonly Sample[]): Finding | undefined {
  const again = of.filter(({ isSentBack }) => isSentBack === true);
  if (again.length === 0 || again.length / of.length < OFTEN) return undefined;
  return found('sent-back', subject, { some: again, of, detail: `${again.length} were done once more` });
}

function found(
  kind: Finding['kind'],
  subject: string,
  { some, of, detail }: { some: readonly Sample[]; of: readonly Sample[]; detail: string },
): Finding {
  const newest = [...some].sort((one, other) => other.startMs - one.startMs);
  return { kind, subject, count: some.length, of: of.length, detail, links: linksOf(newest) };
}

function linksOf(samples: readonly Pick<Sample, 'run'>[]): string[] {
  const runs = samples.flatMap(({ run }) => run ?? []);
  return [...new Set(runs)].slice(0, MOST_LINKS).map((id) => `${RUN_URI}${id}`);
}

function p95(samples: readonly Sample[]): number {
  const sorted = samples.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
}
