import { type CallContext, isToolError, type SourceName, ToolError } from '@nexus/plugin-sdk';
import { evidenceOf, quotesOf } from './evidence/evidence.ts';
import { arxivId, type WorkId } from './identity/ids.ts';
import type { WorkRecord } from './identity/record.ts';
import { standingOf, type Work, worksOf } from './identity/works.ts';
import type { Paper, priorities } from './registry/entries.ts';
import { idsOf } from './registry/find-entry.ts';
import { arxivWork } from './sources/arxiv.ts';
import type { Asking } from './sources/asking.ts';
import { crossrefWork } from './sources/crossref.ts';
import { openalexWork } from './sources/openalex.ts';
import { type FailedSource, failure } from './sources/search-sources.ts';
import { semanticScholarWork } from './sources/semantic-scholar.ts';
import type { ResearchState } from './state.ts';

export interface AddInput {
  readonly arxivId: string;
  readonly topic?: string | undefined;
  readonly priority?: (typeof priorities)[number] | undefined;
  readonly quotes: readonly string[];
  readonly dryRun: boolean;
}

/** @throws {ToolError} NEXUS_CONFLICT, NEXUS_NOT_FOUND, NEXUS_INVALID_ARGUMENTS; what arXiv fails of */
export async function addPaper(input: AddInput, context: CallContext<ResearchState>) {
  const wanted = arxivId(input.arxivId);
  if (!wanted) {
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `${JSON.stringify(input.arxivId)} is no id of arXiv, such as 2101.00001 or hep-th/9901001.`,
    );
  }
  const registry = await context.state.registry(context);
  refuseKnown((await registry.read()).papers, [wanted.id]);
  const asking = await context.state.asking(context);
  const record = await arxivWork(wanted, asking);
  const { others, failedSources } = await askOthers(record, asking);
  const work = worksOf([record, ...others]).find(({ records }) => records.includes(record));
  if (!work) throw new Error('the record of arXiv is in no work');
  const entry = entryOf(record, work, input);
  if (input.dryRun) {
    refuseKnown((await registry.read()).papers, idsOf(entry));
    return { entry, added: false, failedSources };
  }
  await registry.change(['papers'], context.signal, ({ papers }) => {
    refuseKnown(papers.entries, idsOf(entry));
    papers.add(entry);
  });
  return { entry, added: true, failedSources };
}

/** Who else knows of it: other ids, its article, and whether that was retracted. None of them has to answer. */
async function askOthers(record: WorkRecord, asking: Asking) {
  const own = record.ids.find((id) => id.startsWith('arxiv:')) as WorkId;
  const others: WorkRecord[] = [];
  const failedSources: FailedSource[] = [];
  const askOne = async (source: SourceName, question: () => Promise<readonly WorkRecord[]>) => {
    try {
      others.push(...(await question()));
    } catch (error) {
      asking.signal.throwIfAborted();
      // That a source does not have it is an answer.
      if (isToolError(error) && error.code === 'NEXUS_NOT_FOUND') return;
      failedSources.push(await failure(source, error, asking));
    }
  };
  await Promise.all([
    askOne('openalex', () => openalexWork(own, asking)),
    askOne('semantic_scholar', () => semanticScholarWork(own, asking)),
  ]);
  const article = [record, ...others].flatMap(({ ids }) => ids).find((id) => id.startsWith('doi:'));
  if (article !== undefined) await askOne('crossref', () => crossrefWork(article, asking));
  return { others, failedSources };
}

function entryOf(record: WorkRecord, work: Work, { topic, priority, quotes }: AddInput): Paper {
  const { title, authors, date, url, abstract = '', origin } = record;
  const document = { url, fetchedAt: origin.fetchedAt, text: `${title}\n\n${abstract}` };
  const known = standingOf(work.records);
  const venue = work.records.find((each) => each.venue !== undefined)?.venue;
  const kept = quotesOf(document, quotes);
  return {
    id: work.id,
    ids: work.ids.filter((id) => id !== work.id),
    title,
    authors: [...authors],
    ...(date === undefined ? {} : { date }),
    ...(topic === undefined ? {} : { topic }),
    ...(priority === undefined ? {} : { priority }),
    url,
    ...(venue === undefined ? {} : { venue }),
    versions: work.versions.map(({ id, kind, number, date: on }) => ({
      id,
      kind,
      ...(number === undefined ? {} : { number }),
      ...(on === undefined ? {} : { date: on }),
    })),
    ...(known
      ? {
          retraction: {
            status: known.standing,
            source: known.source,
            asOf: new Date(known.asOf).toISOString(),
          },
        }
      : {}),
    addedAt: new Date().toISOString(),
    evidence: [
      ...(abstract === ''
        ? []
        : [evidenceOf(document, 'abstract', { start: title.length + 2, end: document.text.length })]),
      ...kept,
    ],
  };
}

/** @throws {ToolError} NEXUS_CONFLICT */
function refuseKnown(papers: readonly Paper[], ids: readonly WorkId[]): void {
  for (const paper of papers) {
    const shared = idsOf(paper).find((id) => ids.includes(id));
    if (shared === undefined) continue;
    const text = `${shared} is in the registry already, as ${paper.id}: ${JSON.stringify(paper.title)}.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { entry: paper.id, id: shared } });
  }
}
