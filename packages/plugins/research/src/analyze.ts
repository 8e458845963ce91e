import { counted } from '@nexus/primitives';
import { ageDays } from './discover.ts';
import { counts } from './query-registry.ts';
import { words } from './ranking/words.ts';
import type { Paper } from './registry/entries.ts';
import { idsOf } from './registry/find-entry.ts';
import type { Contents } from './registry/registry.ts';

export type Focus = 'gaps' | 'trends' | 'priorities' | 'stale' | 'coverage';

type Finding = {
  readonly finding: string;
  /** Of the entries that it is about, the first of them. */
  readonly ids: string[];
  /** How many there are in all. */
  readonly count: number;
};

interface Analysis {
  readonly findings: Finding[];
  readonly recommendations: string[];
}

const MAX_IDS = 20;
/** After which what is known of a retraction is old. */
const STALE_DAYS = 90;
const RECENT_YEARS = 2;
const MAX_WORDS = 8;

/** Counts of what is on record; each finding names what it counts. */
export function analyze(focus: Focus, topic: string | undefined, contents: Contents): Analysis {
  const wanted = topic?.toLowerCase();
  const isOf = (of: string | undefined) => wanted === undefined || of?.toLowerCase() === wanted;
  const some: Contents = {
    papers: contents.papers.filter((paper) => isOf(paper.topic)),
    sources: contents.sources.filter(({ topics }) => wanted === undefined || topics.some(isOf)),
    techniques: contents.techniques.filter((technique) => isOf(technique.topic)),
    catalog: contents.catalog.filter((entry) => isOf(entry.topic)),
  };
  const isEmpty = Object.values(some).every((list) => list.length === 0);
  if (isEmpty) {
    const where =
      topic === undefined ? 'The registry' : `The registry has nothing under ${JSON.stringify(topic)}; it`;
    return {
      findings: [],
      recommendations: [
        `${where} is empty of what could be counted: find papers by research_discover and keep them by research_add.`,
      ],
    };
  }
  return analyses[focus](some);
}

const analyses: Readonly<Record<Focus, (contents: Contents) => Analysis>> = {
  gaps({ papers, techniques, sources }) {
    const named = new Set(techniques.flatMap((technique) => technique.papers));
    const known = new Set(papers.flatMap((paper) => idsOf(paper)));
    const findings = [
      about(
        'techniques without a paper',
        techniques.filter((each) => each.papers.length === 0),
      ),
      about(
        'techniques that name a paper which is not on record',
        techniques.filter((each) => each.papers.some((id) => !known.has(id))),
      ),
      about(
        'papers that no technique names',
        papers.filter((paper) => !idsOf(paper).some((id) => named.has(id))),
      ),
      about(
        'papers from which nothing is quoted',
        papers.filter((paper) => !isQuoted(paper)),
      ),
      about(
        'sources from which nothing is quoted',
        sources.filter(({ evidence }) => evidence.length === 0),
      ),
    ];
    return result(findings, {
      'techniques without a paper':
        'Name papers under each technique in techniques.yaml, or look for some by research_discover.',
      'papers from which nothing is quoted':
        'Quote what you rely on: research_add_source with quotes, on the paper’s page.',
    });
  },
  trends({ papers }) {
    const dated = papers.filter(({ date }) => date !== undefined);
    const years = counts(dated, ({ date = '' }) => date.slice(0, 4));
    const byYear = Object.entries(years).sort(([a], [b]) => (a < b ? 1 : -1));
    const latest = Number(byYear[0]?.[0] ?? 0);
    const isRecent = ({ date = '' }: Paper) => Number(date.slice(0, 4)) > latest - RECENT_YEARS;
    const [recent, earlier] = [dated.filter(isRecent), dated.filter((paper) => !isRecent(paper))];
    const findings = [
      ...byYear.map(([year]) =>
        about(
          `papers of ${year}`,
          dated.filter(({ date }) => date?.startsWith(year)),
        ),
      ),
      ...risingWords(recent, earlier),
    ];
    const note =
      earlier.length < 5 ? ['With fewer than five earlier papers no trend can be told from chance.'] : [];
    return { findings: findings.filter(({ count }) => count > 0), recommendations: note };
  },
  priorities({ papers, techniques }) {
    const findings = [
      ...(['P1', 'P2', 'P3', 'P4'] as const).map((priority) =>
        about(
          `${priority}: papers from which nothing is quoted yet`,
          papers.filter((paper) => paper.priority === priority && !isQuoted(paper)),
        ),
      ),
      about(
        'papers without a priority',
        papers.filter(({ priority }) => priority === undefined),
      ),
      about(
        'P1 techniques that are neither adopted nor rejected',
        techniques.filter((each) => each.priority === 'P1' && !['adopted', 'rejected'].includes(each.status)),
      ),
    ];
    const next = findings.find(({ finding, count }) => finding.startsWith('P') && count > 0);
    return {
      findings: findings.filter(({ count }) => count > 0),
      recommendations: next ? [`Read ${next.ids[0]} next.`] : [],
    };
  },
  stale({ papers, techniques, catalog }) {
    const age = (at: string | undefined) => (at === undefined ? 0 : ageDays(Date.parse(at)));
    const findings = [
      about(
        'papers that were retracted, withdrawn, or are under an expression of concern',
        papers.filter(({ retraction }) => retraction && retraction.status !== 'none_known'),
      ),
      about(
        'papers of which no source said whether they were retracted',
        papers.filter(({ retraction }) => !retraction),
      ),
      about(
        `papers whose retraction was last asked about over ${STALE_DAYS} days ago`,
        papers.filter(({ retraction }) => age(retraction?.asOf) > STALE_DAYS),
      ),
      about(
        `techniques that are planned or in progress and were not touched for ${STALE_DAYS} days`,
        techniques.filter(
          (each) => ['planned', 'in_progress'].includes(each.status) && age(each.updatedAt) > STALE_DAYS,
        ),
      ),
      about(
        `mentions that wait in the catalog for over ${STALE_DAYS} days`,
        catalog.filter((each) => each.status === 'pending' && age(each.addedAt) > STALE_DAYS),
      ),
    ];
    const isOld = findings.slice(1, 3).some(({ count }) => count > 0);
    return {
      findings: findings.filter(({ count }) => count > 0),
      recommendations: [
        ...((findings[0]?.count ?? 0) > 0
          ? ['Take what rests on a retracted paper out, or say so beside it.']
          : []),
        ...(isOld ? ['research_discover with the title says what sources know of a retraction today.'] : []),
      ],
    };
  },
  coverage({ papers, sources, techniques }) {
    const topics = new Set([
      ...papers.map(({ topic }) => topic),
      ...techniques.map(({ topic }) => topic),
      ...sources.flatMap((source) => source.topics),
    ]);
    const findings = [...topics].sort().map((topic) => {
      const own = papers.filter((paper) => paper.topic === topic);
      const [pages, ways] = [
        sources.filter((source) => topic !== undefined && source.topics.includes(topic)),
        techniques.filter((each) => each.topic === topic),
      ];
      const quoted = own.filter(isQuoted).length;
      const text = `${topic ?? '(no topic)'}: ${counted(own.length, 'paper')} (${quoted} quoted), ${counted(pages.length, 'source')}, ${counted(ways.length, 'technique')}`;
      return about(text, [...own, ...pages, ...ways]);
    });
    const thin = findings.filter(({ count }) => count === 1).map(({ finding }) => finding.split(':', 1)[0]);
    return { findings, recommendations: thin.length > 0 ? [`One entry only: ${thin.join(', ')}.`] : [] };
  },
};

function about(finding: string, entries: readonly { readonly id: string }[]): Finding {
  return { finding, ids: entries.slice(0, MAX_IDS).map(({ id }) => id), count: entries.length };
}

function result(findings: readonly Finding[], advice: Readonly<Record<string, string>>): Analysis {
  const there = findings.filter(({ count }) => count > 0);
  return { findings: there, recommendations: there.flatMap(({ finding }) => advice[finding] ?? []) };
}

function isQuoted({ evidence }: Paper): boolean {
  return evidence.some(({ kind }) => kind === 'quote');
}

/** Words that a greater share of the recent papers have than of the earlier, by at least two papers. */
function risingWords(recent: readonly Paper[], earlier: readonly Paper[]): Finding[] {
  if (earlier.length === 0) return [];
  const has = new Map([...recent, ...earlier].map((paper) => [paper, new Set(words(paper.title))]));
  const withWord = (papers: readonly Paper[], word: string) =>
    papers.filter((paper) => has.get(paper)?.has(word));
  const all = new Set(recent.flatMap((paper) => [...(has.get(paper) ?? [])]));
  return [...all]
    .map((word) => {
      const own = withWord(recent, word);
      const growth = own.length / recent.length - withWord(earlier, word).length / earlier.length;
      return { word, own, growth };
    })
    .filter(({ own, growth }) => own.length >= 2 && growth > 0)
    .sort((a, b) => b.growth - a.growth || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_WORDS)
    .map(({ word, own }) => about(`"${word}" is in more titles of late`, own));
}
