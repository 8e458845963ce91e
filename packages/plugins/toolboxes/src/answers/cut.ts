import { cutEnd } from '@nexus/primitives';

/** The text in at most so many characters, its lines kept; what was cut ends in an ellipsis, after no space. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${cutEnd(text, maxChars - 1)
    .slice(0, -1)
    .trimEnd()}…`;
}
