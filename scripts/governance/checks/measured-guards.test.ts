import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../mutate/figures.ts';
import { guardsFor, pathOf } from '../../mutate/guards.ts';
import { notMeasured } from '../../mutate/not-measured.ts';
import { fixtureSubject } from '../fixture-subject.ts';
import { measuredGuards } from './measured-guards.ts';

const guards = guardsFor([]).map(pathOf);
const excused = new Set(Object.values(notMeasured).flat());
const measured = guards.filter((guard) => !excused.has(guard));
const [some = ''] = measured;
const whole = { source: sourceOf('today'), total: 20, killed: 20, hung: 0 };
const survivor = { mutant: 'a → b', because: 'harmless', reason: 'as a test' };

interface Changes {
  readonly texts?: Readonly<Record<string, string>>;
  readonly figures?: Readonly<Record<string, object | undefined>>;
  readonly survivors?: Readonly<Record<string, readonly object[]>>;
  readonly isGone?: string;
}

async function check({ texts = {}, figures = {}, survivors = {}, isGone }: Changes = {}) {
  const files = Object.fromEntries(
    guards.filter((guard) => guard !== isGone).map((guard) => [guard, 'today']),
  );
  const all = { ...Object.fromEntries(measured.map((guard) => [guard, whole])), ...figures };
  return measuredGuards.run(
    fixtureSubject({
      files: {
        ...files,
        ...texts,
        'scripts/mutate/figures.json': all,
        'scripts/mutate/survivors.json': survivors,
      },
    }),
  );
}

it('finds nothing where each guard has its figure, and its survivors are listed', async () => {
  expect(measured.length).toBeGreaterThan(20);
  expect(await check()).toEqual([]);
  expect(
    await check({ figures: { [some]: { ...whole, killed: 19 } }, survivors: { [some]: [survivor] } }),
  ).toEqual([]);
});

describe('finds', () => {
  it('a guard that nobody measured and nobody excuses', async () => {
    expect(await check({ figures: { [some]: undefined } })).toMatchObject([
      { where: some, what: 'is a guard that nobody measured' },
    ]);
  });

  it('a guard that is excused and has a figure', async () => {
    const [guard = ''] = excused;
    expect(await check({ figures: { [guard]: whole } })).toMatchObject([
      { where: guard, what: 'has a figure and is listed as not measured' },
    ]);
  });

  it('a guard that is not there any more', async () => {
    expect(await check({ isGone: some })).toMatchObject([{ what: `names ${some}, which is not there` }]);
  });

  it('figures and survivors of what is no guard', async () => {
    const found = await check({ figures: { 'a.ts': whole }, survivors: { 'b.ts': [] } });
    expect(found.map(({ where, what }) => [where, what])).toEqual([
      ['scripts/mutate/figures.json', 'names a.ts, which is no guard'],
      ['scripts/mutate/survivors.json', 'names b.ts, which is no guard'],
    ]);
  });

  it('survivors that are not listed, and listed ones that are none', async () => {
    expect(
      await check({ figures: { [some]: { ...whole, killed: 18 } }, survivors: { [some]: [survivor] } }),
    ).toMatchObject([{ where: some, what: 'has 2 survivors, of which 1 are listed' }]);
    expect(await check({ survivors: { [some]: [survivor] } })).toMatchObject([
      { what: 'has 0 survivors, of which 1 are listed' },
    ]);
  });

  it('a figure below the bar', async () => {
    const survivors = { [some]: [survivor, survivor, survivor] };
    expect(await check({ figures: { [some]: { ...whole, killed: 17 } }, survivors })).toMatchObject([
      { where: some, what: 'has 85.0% killed' },
    ]);
  });

  it('more figures of an older text than may be, and not fewer', async () => {
    const changed = (count: number) =>
      Object.fromEntries(measured.slice(0, count).map((guard) => [guard, 'changed']));
    expect(await check({ texts: changed(15) })).toEqual([]);
    const [finding, ...others] = await check({ texts: changed(16) });
    expect(finding?.what).toContain('16 figures are of an older text, 15 at most may be');
    expect(finding?.what).toContain(some);
    expect(others).toEqual([]);
  });
});
