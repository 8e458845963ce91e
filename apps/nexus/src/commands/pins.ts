import type { HeldChange } from '@nexus/downstream';
import { acceptChanges, heldChanges } from '../client/pins.ts';
import { loadConfig } from '../config/load-config.ts';
import { count } from '../terminal/count.ts';
import { differenceLines } from '../terminal/difference.ts';
import { oneLine } from '../terminal/table.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';
import { fail, print, printJson } from './output.ts';
import { unknownName } from './unknown-name.ts';

export const pins: Command = {
  usage: 'pins [action] [toolbox] [server] [tool]',
  summary: 'show tools of other servers that changed since they were first seen, or accept the changes',
  options: [jsonOption, configOption],
  examples: ['pins', 'pins accept', 'pins accept dev', 'pins accept dev github create_issue'],
  async run([action = 'list', ...where], options) {
    const config = text(options, 'config');
    const [toolbox, server, tool] = where.map((word) => (word === undefined ? undefined : String(word)));
    if (action === 'list') {
      const held = await heldChanges(config);
      return options.json === true ? printJson({ held }) : print(describeHeld(held));
    }
    if (action !== 'accept') {
      return fail(`no action "${String(action)}"; use list or accept`);
    }
    const accepted = await acceptChanges(config, [toolbox, server, tool]);
    const unknown = accepted.length === 0 ? await unknownPlace(config, toolbox, server) : undefined;
    if (unknown !== undefined) return fail(unknown);
    return options.json === true ? printJson({ accepted }) : print(describeAccepted(accepted));
  },
};

/** Asked where nothing was held back: one that was pinned may have left the config since. */
async function unknownPlace(
  config: string | undefined,
  toolbox: string | undefined,
  server: string | undefined,
): Promise<string | undefined> {
  if (toolbox === undefined) return undefined;
  const { toolboxes } = (await loadConfig({ config })).toolboxSource;
  const names = toolboxes.map(({ name }) => name);
  const servers = toolboxes.find(({ name }) => name === toolbox)?.servers ?? [];
  const unknown = unknownName('toolbox', toolbox, names);
  return (
    unknown ??
    (server === undefined ? undefined : unknownName(`server of toolbox ${toolbox}`, server, servers))
  );
}

function describeHeld(held: readonly HeldChange[]): string[] {
  if (held.length === 0) return ['Every tool is described as it was when it was first seen.'];
  return [
    ...held.flatMap((change) => [
      nameOf(change),
      ...change.changes.flatMap(({ field, old, new: fresh }) => [
        `  ${field}:`,
        ...differenceLines(old, fresh).map((line) => `    ${line}`),
      ]),
      '',
    ]),
    `${count(held.length, 'changed tool')} held back, since a server that changes what it says of a tool may mean harm. Read what`,
    'changed; `nexus pins accept [toolbox] [server] [tool]` takes it over.',
  ];
}

function describeAccepted(accepted: readonly HeldChange[]): string[] {
  if (accepted.length === 0) return ['Nothing was held back there.'];
  return [
    `Accepted ${count(accepted.length, 'changed tool')}:`,
    ...accepted.map((change) => `  ${nameOf(change)}`),
  ];
}

function nameOf({ toolbox, server, tool }: HeldChange): string {
  return oneLine(`${toolbox} / ${server} / ${tool}`);
}
