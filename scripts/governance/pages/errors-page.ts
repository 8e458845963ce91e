import { errorTable } from '@nexus/core';
import { page, table } from './markdown.ts';

const INTRO = `This page is for whoever meets an error of Nexus, or writes a client that does. A tool that fails answers with \`isError: true\`, a text that says what happened and what to do, and \`_meta["nexus/error"]\` = \`{code, category, retryable, detail?}\`. A retry may help only where the table says so. The category \`internal\` leaves as JSON-RPC error \`-32603\` with a correlation id instead. Malformed calls answer with the JSON-RPC codes \`-32700\`, \`-32600\`, \`-32601\` and \`-32602\`.`;

/** docs/errors.md: the table of error codes. */
export function errorsPage(): string {
  const rows = Object.entries(errorTable)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { category, retryable, text }]) => [
      `\`${code}\``,
      category,
      retryable ? 'yes' : 'no',
      text,
    ]);
  return page('Errors', [INTRO, table(['Code', 'Category', 'Retry', 'What it means'], rows)]);
}
