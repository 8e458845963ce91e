import { type CallContext, type Fetched, ToolError } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { evidenceOf, quotesOf } from './evidence/evidence.ts';
import { doiId, idsIn, type WorkId } from './identity/ids.ts';
import { type Page, readPage } from './read-page.ts';
import type { Reference, Source } from './registry/entries.ts';
import { idsOf } from './registry/find-entry.ts';
import type { ResearchState } from './state.ts';

export interface AddSourceInput {
  readonly url: string;
  readonly name: string;
  readonly type: Source['type'];
  readonly topics: readonly string[];
  readonly tags: readonly string[];
  readonly verdict?: string | undefined;
  readonly quotes: readonly string[];
  readonly dryRun: boolean;
}

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_MENTIONS = 100;
/** Characters around a mention that are kept of it. */
const AROUND = 80;

/** @throws {ToolError} NEXUS_CONFLICT, NEXUS_INVALID_ARGUMENTS, NEXUS_NOT_FOUND, NEXUS_DENIED, NEXUS_UNAVAILABLE */
export async function addSource(input: AddSourceInput, context: CallContext<ResearchState>) {
  const sourceId = idOf(input.name);
  const registry = await context.state.registry(context);
  refuseKnown((await registry.read()).sources, sourceId, input.url);
  const { fetching, markup, signal, progress } = await context.state.asking(context);
  const fetched = await fetching.url(input.url, {
    accept: 'text/html, text/plain;q=0.9, */*;q=0.5',
    maxBytes: MAX_BYTES,
    signal,
    progress,
  });
  requireFound(fetched);
  const page = await readPage(fetched, { markup, signal });
  const tier = tierOf(input.type, page);
  const source = entryOf(input, { sourceId, fetched, page, tier });
  const { mentions, left } = mentionsOf(fetched, page);
  if (!input.dryRun) {
    await registry.change(['sources', 'catalog', 'papers'], signal, ({ sources, catalog, papers }) => {
      refuseKnown(sources.entries, sourceId, input.url);
      sources.add(source);
      const known = new Set<WorkId>([
        ...papers.entries.flatMap((paper) => idsOf(paper)),
        ...catalog.entries.map(({ id }) => id),
      ]);
      for (const mention of mentions) {
        if (!known.has(mention.id))
          catalog.add({ ...mention, ...(input.topics[0] ? { topic: input.topics[0] } : {}) });
      }
    });
  }
  const { status, body, fetchedAt, isFromCache, staleBecause } = fetched;
  return {
    sourceId,
    fetched: {
      url: fetched.url,
      status,
      title: page.title,
      bytes: body.length,
      chars: page.text?.length ?? 0,
      sha256: fetched.sha256,
      at: new Date(fetchedAt).toISOString(),
      isFromCache,
      ...(staleBecause === undefined ? {} : { staleBecause }),
      ...(left === 0 ? {} : { note: leftNote(left) }),
    },
    evidence: { ...tier, kept: source.evidence },
    mentions: mentions.map(({ id }) => id),
    added: !input.dryRun,
  };
}

/** @throws {ToolError} */
function requireFound({ status, url }: Fetched): void {
  if (status >= 200 && status < 300) return;
  const code = status === 404 || status === 410 ? 'NEXUS_NOT_FOUND' : 'NEXUS_UNAVAILABLE';
  throw new ToolError(code, `${url} answers ${status}, so nothing is known of it and nothing is kept.`);
}

function idOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 80)
    .replace(/-$/, '');
  if (id !== '') return id;
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    `${JSON.stringify(name)} has no letter from a to z to make an id of.`,
  );
}

function refuseKnown(sources: readonly Source[], id: string, url: string): void {
  const found = sources.find((each) => each.id === id || sameUrl(each.url, url));
  if (!found) return;
  const text = `${found.id} (${found.url}) is in the registry already.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { entry: found.id } });
}

function sameUrl(a: string, b: string): boolean {
  const plain = (url: string) =>
    (url.split('#', 1)[0] ?? '').replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
  return plain(a) === plain(b);
}

/**
 * How far a kind of page can be relied on, 1 the furthest: by what it is said to be, and never above what the page
 * shows of it.
 */
function tierOf(type: Source['type'], { meta }: Page): { tier: number; why: string } {
  const doi = doiId(meta.citation_doi ?? meta['dc.identifier'] ?? '');
  switch (type) {
    case 'paper':
      return doi === undefined
        ? { tier: 2, why: 'said to be a paper; the page states no DOI of a publication' }
        : { tier: 1, why: `a publication: the page states ${doi}` };
    case 'standard':
      return { tier: 1, why: 'a standard, as the caller says' };
    case 'preprint':
    case 'documentation':
    case 'repository':
    case 'dataset':
      return { tier: 2, why: `a primary source that nobody reviewed (${type})` };
    case 'report':
      return { tier: 3, why: 'a report of those who have an interest in it' };
    default:
      return { tier: 4, why: `what somebody says of it (${type})` };
  }
}

interface Seen {
  readonly sourceId: string;
  readonly fetched: Fetched;
  readonly page: Page;
  readonly tier: { readonly tier: number };
}

function entryOf(input: AddSourceInput, { sourceId, fetched, page, tier }: Seen): Source {
  const { name, type, topics, tags, verdict, quotes } = input;
  if (quotes.length > 0 && page.text === undefined) {
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `${fetched.url} is ${fetched.contentType ?? 'of no stated type'}, of which no text is read, so no quote can be held against it. Name a page of text, such as the paper’s HTML.`,
    );
  }
  const document = { url: fetched.url, fetchedAt: fetched.fetchedAt, text: page.text ?? '' };
  return {
    id: sourceId,
    name,
    url: fetched.url,
    type,
    topics: [...topics],
    tags: [...tags],
    ...(verdict === undefined ? {} : { verdict }),
    tier: tier.tier,
    addedAt: new Date().toISOString(),
    fetched: {
      at: new Date(fetched.fetchedAt).toISOString(),
      title: page.title,
      bytes: fetched.body.length,
      sha256: fetched.sha256,
    },
    evidence: quotesOf(document, quotes),
  };
}

/** Works that the text names by their ids, each with where. */
function mentionsOf(
  fetched: Fetched,
  { text = '' }: Page,
): { readonly mentions: Reference[]; readonly left: number } {
  const document = { url: fetched.url, fetchedAt: fetched.fetchedAt, text };
  const found = idsIn(text);
  const mentions = found.slice(0, MAX_MENTIONS).map(
    ({ id, start, end }): Reference => ({
      id,
      status: 'pending',
      foundIn: fetched.url,
      addedAt: new Date().toISOString(),
      evidence: [
        evidenceOf(document, 'mention', {
          start: Math.max(0, start - AROUND),
          end: Math.min(text.length, end + AROUND),
        }),
      ],
    }),
  );
  return { mentions, left: found.length - mentions.length };
}

function leftNote(left: number): string {
  return `it names ${counted(left, 'work')} beyond the first ${MAX_MENTIONS}, not in the catalog; add what matters with research_add`;
}
