/** What a work is known by. Each begins with its kind: `doi:`, `arxiv:`, `openalex:`, `s2:`, `corpus:`, `github:`. */
export type WorkId = `${IdKind}:${string}`;

export const idKinds = ['doi', 'arxiv', 'openalex', 's2', 'corpus', 'github'] as const;

export type IdKind = (typeof idKinds)[number];

/** New ones, and those of before April 2007 (arXiv's identifier scheme). */
const ARXIV = /^(\d{4}\.\d{4,5}|[a-z-]{1,20}(?:\.[a-z]{2})?\/\d{7})(v\d{1,4})?$/i;
/** Prefix and suffix as the handbook recommends them to be matched. */
const DOI = /^10\.\d{4,9}\/\S+$/;
/** What registries of preprints put behind a DOI for each version of one work. */
const VERSIONS_OF_DOIS: readonly RegExp[] = [
  /^(10\.21203\/rs\.[\w.-]+)\/v\d+$/,
  /^(10\.20944\/preprints[\d.]+?)\.v\d+$/,
  /^(10\.26434\/chemrxiv-[\w-]+?)-v\d+$/,
  /^(10\.6084\/m9\.figshare\.\d+)\.v\d+$/,
  /^(10\.31(?:219|234|235)\/osf\.io\/\w+?)_v\d+$/,
  /^(10\.12688\/f1000research\.\d+)\.\d+$/,
];
/** DataCite's prefix for what is on arXiv. */
const ARXIV_DOI = /^10\.48550\/arxiv\.(.+)$/;

/** An id of arXiv without its version, which is told beside it. */
export interface ArxivId {
  readonly id: WorkId;
  readonly version: number | undefined;
}

/** Reads an id of arXiv as people write it: bare, with `arXiv:`, as a URL of arxiv.org. */
export function arxivId(text: string): ArxivId | undefined {
  const bare = text
    .trim()
    .replace(/^https?:\/\/(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\//i, '')
    .replace(/^arxiv:\s*/i, '')
    .replace(/\.pdf$/i, '');
  const found = ARXIV.exec(bare);
  if (!found?.[1]) return undefined;
  return {
    id: `arxiv:${found[1].toLowerCase()}`,
    version: found[2] === undefined ? undefined : Number(found[2].slice(1)),
  };
}

/**
 * A DOI in its one form, without resolver and version: DOIs are one whatever their case (ISO 26324). One of arXiv's
 * own is that id of arXiv.
 */
export function doiId(text: string): WorkId | undefined {
  const bare = withoutEnd(decoded(text.trim()))
    .replace(/^https?:\/\/(?:dx\.|www\.)?doi\.org\//i, '')
    .replace(/^doi:\s*/i, '')
    .toLowerCase();
  if (!DOI.test(bare)) return undefined;
  const onArxiv = ARXIV_DOI.exec(bare)?.[1];
  if (onArxiv !== undefined) return arxivId(onArxiv)?.id;
  const versioned = VERSIONS_OF_DOIS.map((pattern) => pattern.exec(bare)?.[1]).find((found) => found);
  return `doi:${versioned ?? bare}`;
}

export function openalexId(text: string): WorkId | undefined {
  const found = /^(?:https?:\/\/(?:api\.)?openalex\.org\/(?:works\/)?)?(w\d{1,15})$/i.exec(text.trim());
  return found?.[1] === undefined ? undefined : `openalex:${found[1].toUpperCase()}`;
}

export function semanticScholarId(text: string): WorkId | undefined {
  const found = /^[0-9a-f]{40}$/i.exec(text.trim());
  return found ? `s2:${found[0].toLowerCase()}` : undefined;
}

/** Any of these as a person or a file writes it, or with its kind in front. */
export function workId(text: string): WorkId | undefined {
  const corpus = /^corpus(?:id)?:\s*(\d{1,15})$/i.exec(text.trim())?.[1];
  if (corpus !== undefined) return `corpus:${corpus}`;
  const [, kind, rest = ''] = /^(s2|openalex|github):(.+)$/i.exec(text.trim()) ?? [];
  if (kind?.toLowerCase() === 'github') {
    return /^[\w.-]+\/[\w.-]+$/.test(rest) ? `github:${rest.toLowerCase()}` : undefined;
  }
  const bare = kind === undefined ? text : rest;
  return arxivId(bare)?.id ?? doiId(bare) ?? openalexId(bare) ?? semanticScholarId(bare);
}

/** Ids of arXiv and DOIs that stand in a text, each once, in their order, with where the first one stands. */
export function idsIn(text: string): { readonly id: WorkId; readonly start: number; readonly end: number }[] {
  const found = new Map<WorkId, { id: WorkId; start: number; end: number }>();
  const add = (id: WorkId | undefined, start: number, length: number) => {
    if (id !== undefined && !found.has(id)) found.set(id, { id, start, end: start + length });
  };
  for (const { 0: all, index } of text.matchAll(/\b10\.\d{4,9}\/[^\s"'<>()[\]{}]{1,200}/g)) {
    const trimmed = withoutEnd(all);
    add(doiId(trimmed), index, trimmed.length);
  }
  const onArxiv =
    /arxiv(?:\.org\/(?:abs|pdf|html)\/|:\s{0,2})([a-z-]{0,20}(?:\.[a-z]{2})?\/?\d[\d.]{3,10}\d(?:v\d{1,2})?)/gi;
  for (const { 0: all, 1: id = '', index } of text.matchAll(onArxiv)) {
    add(arxivId(id)?.id, index, all.length);
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** Without the sentence's own signs after it. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' .,;:'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
