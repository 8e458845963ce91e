import { Parser } from 'htmlparser2';

/** An entry of arXiv's Atom, with what its own namespace adds (API user's manual, 3.3). */
export interface AtomEntry {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly published: string;
  readonly updated: string;
  readonly authors: readonly string[];
  readonly doi: string;
  readonly comment: string;
  readonly journalRef: string;
  readonly category: string;
}

export interface AtomFeed {
  /** False where the text is no feed, or ends in its middle. */
  readonly isWhole: boolean;
  readonly total: number | undefined;
  readonly entries: readonly AtomEntry[];
}

const TEXTS: Readonly<Record<string, keyof AtomEntry>> = {
  id: 'id',
  title: 'title',
  summary: 'summary',
  published: 'published',
  updated: 'updated',
  'arxiv:doi': 'doi',
  'arxiv:comment': 'comment',
  'arxiv:journal_ref': 'journalRef',
};

/** Reads a feed in one pass; no entity is resolved but those of XML itself. */
export function readAtom(xml: string): AtomFeed {
  const entries: AtomEntry[] = [];
  let entry: { -readonly [Key in keyof AtomEntry]: AtomEntry[Key] } | undefined;
  let total: number | undefined;
  let isWhole = false;
  let path: string[] = [];
  let text = '';
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        path.push(name);
        text = '';
        if (name === 'entry') entry = emptyEntry();
        if (entry && name === 'arxiv:primary_category') entry.category = attributes.term ?? '';
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name, isImplied) {
        if (path.at(-1) === name) path = path.slice(0, -1);
        if (name === 'feed') isWhole = !isImplied;
        if (name === 'opensearch:totalResults' && /^\d+$/.test(text.trim())) total = Number(text);
        if (!entry) return;
        if (name === 'name' && path.at(-1) === 'author') entry.authors = [...entry.authors, text.trim()];
        const member = path.at(-1) === 'entry' ? TEXTS[name] : undefined;
        if (member !== undefined) Object.assign(entry, { [member]: text.trim() });
        if (name !== 'entry') return;
        entries.push(entry);
        entry = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { isWhole, total, entries };
}

function emptyEntry(): AtomEntry {
  const empty = { id: '', title: '', summary: '', published: '', updated: '' };
  return { ...empty, authors: [], doi: '', comment: '', journalRef: '', category: '' };
}
