import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { fitted } from './fitted.ts';
import { type WorkId, workId } from './identity/ids.ts';
import type { Paper, Reference } from './registry/entries.ts';
import { idsOf } from './registry/find-entry.ts';
import type { ResearchState } from './state.ts';

export interface ReviewInput {
  readonly action: 'list' | 'approve' | 'dismiss';
  readonly identifier?: string | undefined;
  readonly topic?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS, NEXUS_NOT_FOUND, NEXUS_CONFLICT */
export async function reviewCatalog(input: ReviewInput, context: CallContext<ResearchState>) {
  const { action, topic, limit, offset } = input;
  const registry = await context.state.registry(context);
  if (action === 'list') {
    const { catalog } = await registry.read();
    const pending = catalog.filter(
      (entry) => entry.status === 'pending' && (topic === undefined || entry.topic === topic),
    );
    const page = pending.slice(offset, offset + limit).map(shown);
    return { entries: await fitted(page, context), total: pending.length };
  }
  const id = idOf(input);
  // The paper first: who is killed between the two has it in both, and approves again.
  const entry = await registry.change(['papers', 'catalog'], context.signal, ({ papers, catalog }) => {
    const at = catalog.entries.findIndex((each) => each.id === id);
    const found = catalog.entries[at];
    if (!found) {
      const text = `${id} is not in the catalog; research_catalog_review with action list shows what is.`;
      throw new ToolError('NEXUS_NOT_FOUND', text);
    }
    if (action === 'dismiss') {
      if (found.status === 'dismissed') throw new ToolError('NEXUS_CONFLICT', `${id} was dismissed before.`);
      catalog.set(at, 'status', 'dismissed');
      return { ...shown(found), status: 'dismissed' };
    }
    if (!papers.entries.some((paper) => idsOf(paper).includes(id))) papers.add(paperOf(found, topic));
    catalog.remove(at);
    return { ...shown(found), status: 'approved' };
  });
  return { entries: [entry], total: 1 };
}

function idOf({ action, identifier }: ReviewInput): WorkId {
  const id = identifier === undefined ? undefined : workId(identifier);
  if (id !== undefined) return id;
  const what = identifier === undefined ? 'none' : JSON.stringify(identifier);
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    `${action} needs the identifier of a work, such as arxiv:2101.00001; found ${what}.`,
  );
}

function shown({ id, status, title, topic, foundIn, evidence }: Reference) {
  return {
    id,
    status,
    ...(title === undefined ? {} : { title }),
    ...(topic === undefined ? {} : { topic }),
    ...(foundIn === undefined ? {} : { foundIn }),
    ...(evidence[0] ? { mention: evidence[0].text } : {}),
  };
}

/** What is recorded and no more: nobody was asked for its title. */
function paperOf(
  { id, title, topic, foundIn, evidence }: Reference,
  under: string | undefined,
): Omit<Paper, 'ids' | 'authors' | 'versions'> {
  const about = under ?? topic;
  return {
    id,
    title: title ?? `(no title on record) ${id}`,
    ...(about === undefined ? {} : { topic: about }),
    url: id.startsWith('arxiv:')
      ? `https://arxiv.org/abs/${id.slice(6)}`
      : id.startsWith('doi:')
        ? `https://doi.org/${id.slice(4)}`
        : (foundIn ?? ''),
    addedAt: new Date().toISOString(),
    evidence,
  };
}
