import { describe, expect, it } from 'vitest';
import { findIn } from './find.ts';
import type { Sample } from './sample.ts';

function many(count: number, of: (index: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: count }, (_, index) => ({
    subject: 'tool look',
    startMs: index,
    ms: 100,
    run: `run_${index}`,
    ...of(index),
  }));
}

describe('a review', () => {
  it('names what failed often, by its codes, with the newest runs', () => {
    const samples = many(10, (index) =>
      index < 4 ? { code: index === 0 ? 'NEXUS_TIMEOUT' : 'NEXUS_DENIED' } : {},
    );
    expect(findIn(samples, 5)).toEqual([
      {
        kind: 'failed',
        subject: 'tool look',
        count: 4,
        of: 10,
        detail: 'NEXUS_DENIED 3, NEXUS_TIMEOUT 1',
        links: ['nexus://runs/run_3', 'nexus://runs/run_2', 'nexus://runs/run_1'],
      },
    ]);
  });

  it('says nothing of what there is too little of, or what fails seldom', () => {
    expect(
      findIn(
        many(4, () => ({ code: 'X' })),
        5,
      ),
    ).toEqual([]);
    expect(
      findIn(
        many(10, (index) => (index === 0 ? { code: 'X' } : {})),
        5,
      ),
    ).toEqual([]);
  });

  it('names what got slow, by its newer half against the older', () => {
    const samples = many(20, (index) => ({ ms: index < 10 ? 1_000 : 2_000 }));
    expect(findIn(samples, 5)).toMatchObject([
      { kind: 'slow', count: 10, of: 10, detail: '95 of 100 took at most 1000 ms, and now 2000 ms' },
    ]);
    expect(
      findIn(
        many(20, (index) => ({ ms: index < 10 ? 10 : 20 })),
        5,
      ),
      'too little to matter',
    ).toEqual([]);
    expect(findIn(samples, 11), 'too few of each half').toEqual([]);
  });

  it('names what cost much of all, the dearest run first', () => {
    const dear = many(5, (index) => ({ subject: 'model big', costUsd: index }));
    const cheap = many(5, () => ({ subject: 'model small', costUsd: 0.01 }));
    expect(findIn([...dear, ...cheap], 5)).toMatchObject([
      {
        kind: 'costly',
        subject: 'model big',
        detail: '$10.0000 of $10.0500 in all, $2.0000 each',
        links: ['nexus://runs/run_4'].concat('nexus://runs/run_3', 'nexus://runs/run_2'),
      },
    ]);
  });

  it('says of how many calls nobody knows the cost', () => {
    const dear = many(6, (index) => ({ subject: 'model big', ...(index === 0 ? {} : { costUsd: 2 }) }));
    expect(findIn(dear, 5)).toMatchObject([
      { detail: '$10.0000 of $10.0000 in all, $2.0000 each; what 1 cost is not known' },
    ]);
  });

  it('names what was sent back', () => {
    const samples = many(10, (index) => ({ subject: 'step write', isSentBack: index % 2 === 0 }));
    expect(findIn(samples, 5)).toMatchObject([
      { kind: 'sent-back', subject: 'step write', count: 5, of: 10 },
    ]);
  });
});
