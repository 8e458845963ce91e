import type { Parsed } from './parse-message.ts';

/** The answer that a refused line deserves, as a line. */
export function errorLine({ id, error }: Extract<Parsed, { kind: 'refused' }>): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`;
}
