const PIECES = /[a-z]+|\d+|[^\x00-\x7f]|[^a-z\d\s]+/gi;

/**
 * How many tokens a model is likely to pay for a text, within a tenth or so for JSON: a tokenizer's table is
 * megabytes, and only the size of an answer hangs on it.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const piece of text.match(PIECES) ?? []) tokens += costOf(piece);
  return Math.ceil(tokens);
}

function costOf(piece: string): number {
  const first = piece.charCodeAt(0);
  if (first > 0x7f) return 1;
  if (/^[a-z]/i.test(piece)) return Math.ceil(piece.length / 7);
  if (/^\d/.test(piece)) return Math.ceil(piece.length / 3);
  return Math.max(1, piece.length / 3) * 0.85;
}
