import { findUnscoped, takeOver, type UnscopedRows } from '@nexus/store';
import { visibleLine } from '@nexus/untrusted/shown';
import { loadConfig } from '../loaded-config/load-config.ts';
import { origins } from '../project/origins.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

export const project: Command = {
  usage: 'project [take-over]',
  summary: 'show the project’s id, by which machines share its state in one database',
  options: [
    { flags: '--set-aside', description: 'take over even if the project has rows of its own' },
    configOption,
    jsonOption,
  ],
  examples: ['project', 'project take-over'],
  async run([action], options) {
    if (action !== undefined && action !== 'take-over')
      return fail(`there is no \`project ${action}\`; there is \`project take-over\``);
    const { identify, databaseUrl } = await loadConfig({ config: text(options, 'config') });
    const { id, from, waits } = identify();
    const shown = [`${id} (${origins[from]})`, ...(waits === undefined ? [] : [aboutClaim(waits)])];
    if (databaseUrl === undefined) {
      if (action) return fail('the embedded database is this project’s alone: there is nothing to take over');
      return options.json ? printJson({ id, from }) : print(shown);
    }
    const shared = { databaseUrl, projectId: id };
    if (action) {
      const { rows, schema, setAside } = await takeOver(shared, { setAside: options.setAside === true });
      return print([
        `Schema ${schema} is ${id}’s now: ${listed(rows)}.`,
        ...(setAside.length > 0 ? [`Set aside: ${listed(setAside)}.`] : []),
      ]);
    }
    const unscoped = await findUnscoped(shared);
    if (options.json) return printJson({ id, from, waits: waits ?? null, unscoped });
    return print([...shown, ...aboutUnscoped(unscoped, id)]);
  },
};

function aboutClaim(id: string): string {
  return `The repository says that it is ${visibleLine(id)}; \`nexus trust\` takes its word.`;
}

function aboutUnscoped({ schema, rows, owner }: UnscopedRows, id: string): string[] {
  if (owner !== undefined) return owner === id ? [`Its tables are in schema ${schema}.`] : [];
  if (rows.length === 0) return [];
  return [
    `Schema ${schema} holds rows from before projects were kept apart, and they are nobody’s: ${listed(rows)}.`,
    '`nexus project take-over` makes them this project’s; nothing is copied or removed.',
  ];
}

function listed(rows: UnscopedRows['rows']): string {
  return rows.map(([table, count]) => `${count} in ${table}`).join(', ') || 'no rows';
}
