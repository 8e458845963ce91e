const PIECES = /[a-z]+|\d+|[\x80-\uffff]|[^a-z\d\s\x80-\uffff]+/gi;

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
  // Halves of what is beyond the basic plane, emoji mostly, cost more.
  if (first >= 0xd800 && first <= 0xdfff) return 1.5;
  if (first > 0x7f) return 1;
  if (/^[a-z]/i.test(piece)) return Math.ceil(piece.length / 7);
  if (/^\d/.test(piece)) return Math.ceil(piece.length / 3);
  // Long runs of marks are escaped ones mostly, which hardly ever share a token.
  const escapes = piece.length > 8 ? piece.split('\\').length - 1 : 0;
  return Math.max(1, piece.length / 3) * 0.85 + escapes * 0.8;
}
