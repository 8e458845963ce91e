import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Paper } from './registry/entries.ts';
import type { Contents } from './registry/registry.ts';
import { synthesize } from './synthesize.ts';

const ROOFS = [
  'Green roofs hold rain water back in summer storms. They weigh more than bare ones.',
  'Rain water that green roofs hold back evaporates and cools summer streets.',
  'The storms of summer overwhelm drains where green roofs hold no rain water.',
];
const VOTES = [
  'Weighted votes of language models agree more often than single models. Cost grows with panels.',
  'Panels of language models cast blind votes, and weighted votes win over debate.',
  'A debate of language models changes votes without better judgement of panels.',
];

function paper(at: number, abstract: string | undefined, topic = 'mixed'): Paper {
  const id = `doi:10.1000/p.${at}` as Paper['id'];
  const whole = `Title. ${abstract ?? ''}`;
  const evidence =
    abstract === undefined
      ? []
      : [
          {
            kind: 'abstract' as const,
            url: `https://papers.example/${at}`,
            fetchedAt: '2026-11-01T00:00:00.000Z',
            sha256: createHash('sha256').update(whole).digest('hex'),
            start: whole.indexOf(abstract),
            end: whole.length,
            text: abstract,
          },
        ];
  const title = (abstract ?? 'Nothing on record').split(' ').slice(0, 4).join(' ');
  return { id, ids: [id], title, authors: [], topic, versions: [], addedAt: '2026-11-01', evidence } as Paper;
}

const contents = (papers: readonly Paper[]): Contents => ({
  papers,
  sources: [],
  techniques: [],
  catalog: [],
});
const all = [...ROOFS, ...VOTES].map((text, at) => paper(at, text));

/** What one of its sentences holds. */
interface Sentence {
  readonly text: string;
  readonly standing: string;
  readonly paper: string;
  readonly evidence: { url: string; fetchedAt: string; sha256: string; start: number; end: number };
}
const sentencesOf = (given: readonly Paper[]) =>
  synthesize(undefined, contents(given)).clusters.flatMap(({ sentences }) => sentences as Sentence[]);

describe('a synthesis', () => {
  it('groups papers by what they are about', () => {
    const { clusters } = synthesize(undefined, contents(all));
    const groups = clusters.map(({ papers }) => papers.map(({ id }) => Number(id.split('.').at(-1))).sort());
    expect(groups.sort()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(clusters.map(({ theme }) => theme).join(' ')).toMatch(/\b(?:rain|water|roofs)\b/);
  });

  it('is the same for the same papers, in whatever order they stand', () => {
    const first = JSON.stringify(synthesize(undefined, contents(all)));
    expect(JSON.stringify(synthesize(undefined, contents(all)))).toBe(first);
    expect(JSON.stringify(synthesize(undefined, contents([...all].reverse())))).toBe(first);
  });

  it('says no sentence that does not stand in its evidence, at the place that it names', () => {
    const sentences = sentencesOf(all);
    expect(sentences.length).toBeGreaterThanOrEqual(all.length);
    for (const { text, standing, paper: id, evidence } of sentences) {
      const own = all.find((each) => each.id === id)?.evidence[0];
      expect(standing).toBe('verbatim');
      expect(evidence).toMatchObject({ url: own?.url, fetchedAt: own?.fetchedAt, sha256: own?.sha256 });
      const whole = `Title. ${own?.text}`;
      expect(whole.slice(evidence.start, evidence.end)).toBe(text);
    }
  });

  it('says nothing of a paper without an abstract but that it has none', () => {
    const { clusters } = synthesize(undefined, contents([paper(9, undefined)]));
    expect(clusters).toMatchObject([{ sentences: [], papers: [{ id: 'doi:10.1000/p.9' }] }]);
    expect(clusters[0]?.gaps).toContain('1 of 1 have no abstract on record');
  });

  it.each([
    [undefined, [], 'No paper is on record'],
    ['submarines', all, 'No paper on record is of "submarines"'],
  ])('of nothing synthesises nothing, and says so', (topic, papers, why) => {
    expect(synthesize(topic, contents(papers))).toEqual({
      clusters: [],
      papers: 0,
      note: expect.stringMatching(new RegExp(`^${why}, so nothing is synthesised`)),
    });
  });
});
