import { type Fetched, ToolError } from '@nexus/plugin-sdk';
import type { Markup } from './markup/markup.ts';

/** A page as it was read. */
export interface Page {
  readonly title: string;
  /** Undefined where it is no text, such as a PDF: then nothing can be quoted from it. */
  readonly text: string | undefined;
  readonly meta: Readonly<Record<string, string>>;
}

const MAX_CHARS = 2_000_000;

/** @throws {ToolError} NEXUS_UNAVAILABLE where it can’t be read; the signal’s reason */
export async function readPage(
  { body, contentType = '', url }: Fetched,
  { markup, signal }: { readonly markup: Markup; readonly signal: AbortSignal },
): Promise<Page> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml';
  const isText = /^text\/|^application\/(?:json|xml|yaml|x-yaml|.+\+(?:json|xml))$/.test(type);
  if (!isHtml && !isText) return { title: '', text: undefined, meta: {} };
  const text = decode(body, contentType);
  if (text.length > MAX_CHARS) {
    throw new ToolError(
      'NEXUS_UNAVAILABLE',
      `${url} has more than ${MAX_CHARS} characters, and is not read.`,
    );
  }
  return isHtml ? markup.html(text, signal) : { title: '', text, meta: {} };
}

/** In the charset that is stated, of the header or of the page (HTML, 13.2.3.2), else UTF-8. */
function decode(body: Uint8Array, contentType: string): string {
  const start = new TextDecoder('latin1').decode(body.subarray(0, 1_024));
  const stated =
    /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start)?.[1];
  try {
    return new TextDecoder(stated ?? 'utf-8').decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
