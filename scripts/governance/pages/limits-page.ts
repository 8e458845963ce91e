import type { Workspace } from '../../workspace/workspace.ts';
import { LIMIT_TABLE } from '../checks/limits.ts';
import { findLimits, type Limit } from '../limits/find-limits.ts';
import { KINDS, type Kind, type LimitTable } from '../limits/kinds.ts';
import { page, table } from './markdown.ts';

const INTRO =
  'This page is for whoever meets a limit of Nexus, or sets one. Those that the config sets are in [configuration.md](configuration.md); here are those of the code: which, how much, and what is said to whoever meets it. Where a message names a limit, a test holds the message. What no message names by its number is grouped by what becomes of what meets it.';

/** docs/limits.md: every constant that bounds something. */
export function limitsPage(workspace: Workspace): string {
  const found = findLimits(workspace);
  const kinds = JSON.parse(workspace.read(LIMIT_TABLE)) as LimitTable;
  const kindOf = ({ file, name }: Limit) => kinds[file]?.[name];
  const told = found.filter((limit) => kindOf(limit) === undefined);
  return page('Limits', [
    INTRO,
    '## Named by a message',
    table(
      ['Limit', 'How much', 'What is said'],
      told.map((limit) => [linked(limit), `\`${limit.value}\``, said(limit)]),
    ),
    ...Object.entries(KINDS).flatMap(([kind, text]) => {
      const rows = found.filter((limit) => kindOf(limit) === (kind as Kind));
      if (rows.length === 0) return [];
      const cells = rows.map((limit) => [linked(limit), `\`${limit.value}\``]);
      return [`## ${kind[0]?.toUpperCase()}${kind.slice(1)}`, text, table(['Limit', 'How much'], cells)];
    }),
  ]);
}

function linked({ file, name }: Limit): string {
  return `[${file.replace(/^packages\/|\/src|\.ts$/g, '')}](../${file}) \`${name}\``;
}

/** Names in the place of what is written into a message. */
function said({ messages: [message = ''], name, value }: Limit): string {
  return message.replace(/\$\{([^}]*)\}/g, (_, inside: string) =>
    inside === name ? value : `‹${inside.split(/[^A-Za-z]+/).find((word) => word.length > 2) ?? '…'}›`,
  );
}
