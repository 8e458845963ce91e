import { boundsFault } from '@nexus/primitives';

/** A fence around it, with or without the language's name. */
const FENCED = /^```\w*\n([\s\S]*)\n```$/;

/**
 * The JSON value that a text is: bare, in one code fence, or an object after and before some words, as
 * models write it. Undefined when there is none, or one too large to be read.
 */
export function readJson(text: string): { readonly value: unknown } | undefined {
  const trimmed = text.trim();
  const bare = parsed(trimmed) ?? parsed(FENCED.exec(trimmed)?.[1]);
  if (bare) return bare;
  const begin = trimmed.search(/[{[]/);
  const end = Math.max(trimmed.lastIndexOf('}'), trimmed.lastIndexOf(']'));
  return begin >= 0 && end > begin ? parsed(trimmed.slice(begin, end + 1)) : undefined;
}

function parsed(text: string | undefined): { readonly value: unknown } | undefined {
  if (text === undefined || boundsFault(text) !== undefined) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
