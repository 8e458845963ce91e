import { describe, expect, it } from 'vitest';
import { arxivId, doiId, openalexId, type WorkId } from './ids.ts';
import type { WorkKind, WorkRecord } from './record.ts';
import { worksOf } from './works.ts';

const METHODS = [
  'sparse attention',
  'gradient flow',
  'isotope dating',
  'matched cohorts',
  'spectral graphs',
  'tree rings',
  'protein folding',
  'field surveys',
  'quantum annealing',
  'causal forests',
];
const SUBJECTS = [
  'coral reefs',
  'language models',
  'urban heat',
  'migraine relief',
  'supply networks',
  'soil microbes',
  'galaxy halos',
  'bird song',
  'rare earths',
  'school meals',
  'ice cores',
  'protein binding',
  'voter turnout',
  'bone growth',
  'traffic noise',
  'wind farms',
  'gene drives',
  'honey bees',
  'battery ageing',
  'tax reform',
];
const NAMES = [
  'García',
  'Nguyen',
  'Smith',
  'Müller',
  'Okafor',
  'Tanaka',
  'Rossi',
  'Kowalski',
  'Silva',
  'Haddad',
  'Iyer',
  'Larsen',
  'Novak',
  'Dubois',
  'Chen',
  'Petrov',
  'Adeyemi',
  'Jansen',
  'Moreau',
  'Kim',
  'Ahmed',
];

interface Seed {
  readonly title: string;
  readonly authors: readonly string[];
  readonly doi: string;
  readonly arxiv: string;
  readonly openalex: string;
}

/** 200 works, each of another method and subject, in years that their ids tell. */
const seeds: readonly Seed[] = Array.from({ length: 200 }, (_, at) => {
  const method = METHODS[at % METHODS.length] as string;
  const subject = SUBJECTS[Math.floor(at / METHODS.length)] as string;
  const family = (step: number) => NAMES[(at * 5 + step * 8) % NAMES.length] as string;
  return {
    title: `What ${method} tell of ${subject}: evidence and limits`,
    authors: [`Ana ${family(0)}`, `Ben ${family(1)}`],
    doi: `10.${1_000 + at}/Journal.${at}`,
    arxiv: `${2_001 + (at % 12)}.${10_000 + at}`,
    openalex: `W${4_000_000 + at}`,
  };
});

type Told = {
  readonly source: WorkRecord['source'];
  readonly ids: readonly (WorkId | undefined)[];
} & Partial<Pick<WorkRecord, 'title' | 'authors' | 'kind'>>;

function record(
  seed: Seed,
  { source, ids, title = seed.title, authors = seed.authors, kind = 'article' }: Told,
): WorkRecord {
  const known = ids.filter((id) => id !== undefined);
  expect(known).toHaveLength(ids.length);
  const origin = { url: 'https://example.org/', fetchedAt: 0 };
  return { source, ids: known, kind, title, authors, url: origin.url, versions: [], origin };
}

type Pair = readonly [WorkRecord, WorkRecord];
type Way = (seed: Seed, other: Seed) => Pair;

const byDoi = (seed: Seed, also: Partial<Told> = {}) =>
  record(seed, { source: 'crossref', ids: [doiId(seed.doi)], ...also });
const byArxiv = (seed: Seed, also: Partial<Told> = {}) =>
  record(seed, { source: 'arxiv', ids: [arxivId(seed.arxiv)?.id], kind: 'preprint', ...also });

const SAME: Readonly<Record<string, Way>> = {
  'one DOI in another case, by a resolver': (seed) => [
    byDoi(seed),
    byDoi(seed, {
      source: 'openalex',
      ids: [doiId(`https://doi.org/${seed.doi.toUpperCase()}`), openalexId(seed.openalex)],
    }),
  ],
  'a preprint that names its article, whose title was changed for print': (seed) => [
    byArxiv(seed, { ids: [arxivId(`${seed.arxiv}v3`)?.id, doiId(seed.doi)] }),
    byDoi(seed, { title: `${seed.title.split(':')[0]}` }),
  ],
  'arXiv’s own DOI': (seed) => [
    byArxiv(seed),
    byDoi(seed, { ids: [doiId(`10.48550/arXiv.${seed.arxiv}`)], kind: 'preprint' }),
  ],
  'an article that was retracted since': (seed) => [
    byDoi(seed),
    byDoi(seed, { source: 'openalex', title: `RETRACTED: ${seed.title}` }),
  ],
  'a title without words in common, and authors in the other order of names': (seed) => [
    byDoi(seed),
    byDoi(seed, {
      source: 'openalex',
      title: 'Untitled manuscript',
      authors: seed.authors.map((name) => name.split(' ').reverse().join(', ')),
    }),
  ],
};

const ANOTHER: Readonly<Record<string, Way>> = {
  'one title, other ids': (seed, other) => [
    byDoi(seed),
    byDoi(other, { title: seed.title, authors: seed.authors }),
  ],
  'an id that was mistyped': (seed, other) => [
    byDoi(seed),
    byDoi(other, { source: 'openalex', ids: [doiId(seed.doi), openalexId(other.openalex)] }),
  ],
  'a notice under the id of its work': (seed) => [
    byDoi(seed),
    byDoi(seed, { source: 'openalex', title: `Correction to: ${seed.title}`, kind: 'notice' }),
  ],
  'parts under one id': (seed) => [
    byDoi(seed, { title: `${seed.title}. Part I` }),
    byDoi(seed, { source: 'openalex', title: `${seed.title}. Part II` }),
  ],
  'a repository that names its paper': (seed) => [
    byDoi(seed),
    record(seed, { source: 'github', ids: ['github:a/b', doiId(seed.doi)], kind: 'repository' as WorkKind }),
  ],
};

/** 2 000 pairs: each seed in five ways that are one work, and in five that are two. */
function pairs(ways: Readonly<Record<string, Way>>): { readonly way: string; readonly pair: Pair }[] {
  return Object.entries(ways).flatMap(([way, make]) =>
    seeds.map((seed, at) => ({ way, pair: make(seed, seeds[(at + 37) % seeds.length] as Seed) })),
  );
}

const isOne = (pair: Pair) => worksOf(pair).length === 1;

describe('works', () => {
  it('are told apart and joined in 2 000 labelled pairs: precision 0.995 and recall 0.97 at least', () => {
    const [same, another] = [pairs(SAME), pairs(ANOTHER)];
    expect(same.length + another.length).toBe(2_000);
    const missed = same.filter(({ pair }) => !isOne(pair)).map(({ way }) => way);
    const wrong = another.filter(({ pair }) => isOne(pair)).map(({ way }) => way);
    const right = same.length - missed.length;
    expect(right / (right + wrong.length), `joined: ${wrong.join('; ')}`).toBeGreaterThanOrEqual(0.995);
    expect(right / same.length, `missed: ${missed.join('; ')}`).toBeGreaterThanOrEqual(0.97);
  });

  it('are never one by their titles alone', () => {
    const [seed] = seeds as [Seed];
    const alike = seeds.map((other) => byDoi(other, { title: seed.title, authors: seed.authors }));
    expect(worksOf(alike)).toHaveLength(seeds.length);
  });

  it('are the same whatever the order of their records', () => {
    const records = [...pairs(SAME), ...pairs(ANOTHER)].slice(0, 300).flatMap(({ pair }) => pair);
    const ids = (given: readonly WorkRecord[]) =>
      worksOf(given)
        .map(({ id, records: of }) => `${id} ${of.length}`)
        .sort();
    expect(ids([...records].reverse())).toEqual(ids(records));
  });

  it('have no version that may be another work', () => {
    const [seed] = seeds as [Seed];
    const [work, notice] = (ANOTHER['a notice under the id of its work'] as Way)(seed, seed);
    const [disputed] = work.ids as [WorkId];
    const own = doiId('10.1000/notice') as WorkId;
    const versions = [own, disputed].map((id) => ({ id, kind: 'article' as const }));
    const told = worksOf([work, { ...notice, ids: [own, disputed], versions }]);
    const found = told.find(({ ids }) => ids.includes(own));
    expect(found?.disputedIds).toEqual([disputed]);
    expect(found?.versions.map(({ id }) => id)).toEqual([own]);
  });
});
