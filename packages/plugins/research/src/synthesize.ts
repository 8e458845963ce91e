import { ToolError } from '@nexus/plugin-sdk';
import { textOf } from './query-registry.ts';
import { clustersOf } from './ranking/clusters.ts';
import { sentencesOf } from './ranking/sentences.ts';
import { centreOf, heaviest, likeness, type Vector, type Weights, weightsOf } from './ranking/vectors.ts';
import { words } from './ranking/words.ts';
import type { Entry, Evidence, Paper } from './registry/entries.ts';
import { idsOf } from './registry/find-entry.ts';
import type { Contents } from './registry/registry.ts';

/** Average likeness from which two groups are of one theme. */
const ALIKE = 0.12;
const THEME_WORDS = 3;
const MAX_SENTENCES = 5;
const MAX_PAPERS = 2_000;
const MIN_SENTENCE = 30;

/** Groups papers by their words. Order of entries changes nothing. @throws {ToolError} where there are too many */
export function synthesize(topicFilter: string | undefined, contents: Contents) {
  const papers = [...matching(contents.papers, topicFilter)].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (papers.length === 0) {
    const what =
      topicFilter === undefined
        ? 'No paper is on record'
        : `No paper on record is of ${JSON.stringify(topicFilter)}`;
    return {
      clusters: [],
      papers: 0,
      note: `${what}, so nothing is synthesised. research_discover finds some, research_add keeps them.`,
    };
  }
  if (papers.length > MAX_PAPERS) {
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `${papers.length} papers are too many at once; narrow them by topicFilter to ${MAX_PAPERS}.`,
    );
  }
  const texts = papers.map(textOf);
  const weights = weightsOf(texts);
  const vectors = texts.map((text) => weights.of(text));
  const clusters = clustersOf(vectors, ALIKE).map((places) => {
    const members = places.flatMap((at) => papers[at] ?? []);
    const centre = centreOf(places.flatMap((at) => vectors[at] ?? []));
    return describe(members, { centre, weights, techniques: contents.techniques });
  });
  return { clusters, papers: papers.length };
}

function matching(papers: readonly Paper[], topicFilter: string | undefined): readonly Paper[] {
  if (topicFilter === undefined) return papers;
  const wanted = words(topicFilter);
  const isOfTopic = (paper: Paper) => paper.topic?.toLowerCase() === topicFilter.toLowerCase();
  return papers.filter((paper) => {
    if (isOfTopic(paper)) return true;
    const has = new Set(words(textOf(paper)));
    return wanted.length > 0 && wanted.every((word) => has.has(word));
  });
}

interface Around {
  readonly centre: Vector;
  readonly weights: Weights;
  readonly techniques: readonly Entry<'techniques'>[];
}

function describe(members: readonly Paper[], { centre, weights, techniques }: Around) {
  const ids = new Set(members.flatMap((paper) => idsOf(paper)));
  const own = techniques.filter(({ papers }) => papers.some((id) => ids.has(id)));
  const sentences = members
    .flatMap((paper) => sentenceOf(paper, { centre, weights }) ?? [])
    .sort((a, b) => b.weight - a.weight || (a.statement.paper < b.statement.paper ? -1 : 1))
    .slice(0, MAX_SENTENCES)
    .map(({ statement }) => statement);
  return {
    theme: heaviest(centre, THEME_WORDS).join(', '),
    papers: members.map(({ id, title, date, retraction }) => ({
      id,
      title,
      ...(date === undefined ? {} : { date }),
      ...(retraction !== undefined && retraction.status !== 'none_known'
        ? { retraction: retraction.status }
        : {}),
    })),
    techniques: own.map(({ id, name, status }) => ({ id, name, status })),
    sentences,
    gaps: gapsOf(members, own.length),
  };
}

/** The sentence of an abstract that is most of what the group is about, as it stands there. */
function sentenceOf(paper: Paper, { centre, weights }: Pick<Around, 'centre' | 'weights'>) {
  const abstract = paper.evidence.find(({ kind }) => kind === 'abstract');
  if (!abstract) return undefined;
  const [best] = sentencesOf(abstract.text)
    .filter(({ text }) => text.length >= MIN_SENTENCE)
    .map((sentence) => ({ sentence, weight: likeness(centre, weights.of(sentence.text)) }))
    .sort((a, b) => b.weight - a.weight || a.sentence.start - b.sentence.start);
  if (!best) return undefined;
  return { weight: best.weight, statement: stated(paper, abstract, best.sentence) };
}

function stated(
  paper: Paper,
  evidence: Evidence,
  { start, end, text }: { start: number; end: number; text: string },
) {
  const { url, fetchedAt, sha256 } = evidence;
  return {
    text,
    standing: 'verbatim' as const,
    paper: paper.id,
    evidence: { url, fetchedAt, sha256, start: evidence.start + start, end: evidence.start + end },
  };
}

/** What the registry lacks here, each said of what is counted. */
function gapsOf(members: readonly Paper[], techniques: number): string[] {
  const [only, ...others] = members;
  const unread = members.filter(({ evidence }) => evidence.every(({ kind }) => kind !== 'quote')).length;
  const unasked = members.filter(({ retraction }) => retraction === undefined).length;
  const bare = members.filter(({ evidence }) => evidence.every(({ kind }) => kind !== 'abstract')).length;
  return [
    ...(only && others.length === 0
      ? [`one paper only, ${only.id}: nothing on record bears it out or speaks against it`]
      : []),
    ...(techniques === 0 ? ['no technique on record names any of these papers'] : []),
    ...(unread > 0 ? [`nothing is quoted from ${unread} of ${members.length}`] : []),
    ...(unasked > 0
      ? [
          `whether ${unasked} of ${members.length} were retracted is not known: no source that tells of it had them`,
        ]
      : []),
    ...(bare > 0 ? [`${bare} of ${members.length} have no abstract on record`] : []),
  ];
}
