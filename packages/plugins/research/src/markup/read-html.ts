import { Parser } from 'htmlparser2';

/** What a page says, as one text: what is between its tags, blocks on lines of their own. */
export interface HtmlPage {
  readonly title: string;
  readonly text: string;
  /** Of its `meta` elements, by name or property in lower case; the first of each. */
  readonly meta: Readonly<Record<string, string>>;
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object']);
const BLOCKS = new Set(
  'address article aside blockquote br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const MAX_META = 200;

/** Reads a page in one pass. Nothing is run, fetched or judged visible by style. */
export function readHtml(html: string): HtmlPage {
  const meta = new Map<string, string>();
  const parts: string[] = [];
  let unseen = 0;
  let title: string | undefined;
  let isTitle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'meta' && meta.size < MAX_META) keepMeta(meta, attributes);
      if (name === 'title' && title === undefined) {
        isTitle = true;
        title = '';
      }
      if (UNSEEN.has(name)) unseen += 1;
      if (BLOCKS.has(name)) parts.push('\n');
    },
    ontext(text) {
      if (isTitle) title += text;
      else if (unseen === 0) parts.push(text);
    },
    onclosetag(name) {
      if (name === 'title') isTitle = false;
      if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1);
      if (BLOCKS.has(name)) parts.push('\n');
    },
  });
  parser.end(html);
  const text = parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
  return { title: (title ?? '').replace(/\s+/g, ' ').trim(), text, meta: Object.fromEntries(meta) };
}

function keepMeta(meta: Map<string, string>, attributes: Readonly<Record<string, string>>): void {
  const name = (attributes.name ?? attributes.property ?? '').toLowerCase();
  if (name !== '' && attributes.content !== undefined && !meta.has(name)) meta.set(name, attributes.content);
}
