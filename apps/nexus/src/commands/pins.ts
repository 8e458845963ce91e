import type { PendingChange, PendingPlace } from '@nexus/downstream';
import { counted } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';
import { acceptChanges, pendingChanges } from '../client/pins.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { confirm } from '../terminal/confirm.ts';
import { differenceLines } from '../terminal/difference.ts';
import { fail, print, printJson, warn } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';
import { unknownName } from './unknown-name.ts';

export const pins: Command = {
  usage: 'pins [action] [toolbox] [server] [tool]',
  summary: 'show tools of other servers that changed since they were first seen, or accept the changes',
  options: [
    { flags: '--hash <hash...>', description: 'accept just these definitions, as `nexus pins` showed them' },
    jsonOption,
    configOption,
  ],
  examples: ['pins', 'pins accept', 'pins accept dev github create_issue', 'pins accept --hash 0f3b…'],
  async run([action = 'list', ...where], options) {
    const config = text(options, 'config');
    const [toolbox, server, tool] = where.map((word) => (word === undefined ? undefined : String(word)));
    const place = { toolbox, server, tool };
    if (action === 'list') {
      const pending = (await pendingChanges(config)).filter((change) => isIn(change, place));
      const unknown = pending.length === 0 ? await unknownPlace(config, toolbox, server) : undefined;
      if (unknown !== undefined) return fail(unknown);
      return options.json === true ? printJson({ held: pending }) : print(describePending(pending));
    }
    if (action !== 'accept') {
      return fail(`no action "${String(action)}"; use list or accept`);
    }
    const pending = (await pendingChanges(config)).filter((change) => isIn(change, place));
    if (pending.length === 0) {
      const unknown = await unknownPlace(config, toolbox, server);
      if (unknown !== undefined) return fail(unknown);
      return options.json === true ? printJson({ accepted: [] }) : print(describeAccepted([]));
    }
    const named = Array.isArray(options.hash) ? options.hash.map(String) : undefined;
    const wanted = pending.filter(({ hash, isListed }) => isListed && (named?.includes(hash) ?? true));
    if (wanted.length < (named ?? pending).length) {
      warn(describePending(pending).join('\n'));
      return fail('nothing is accepted: what was named is another by now, or is listed no more');
    }
    if (named === undefined && !(await isAgreed(pending))) return 1;
    const accepted = await acceptChanges(
      config,
      place,
      wanted.map(({ hash }) => hash),
    );
    if (accepted.length < wanted.length) {
      return fail(
        `${counted(wanted.length - accepted.length, 'tool')} changed meanwhile; \`nexus pins\` shows it`,
      );
    }
    return options.json === true ? printJson({ accepted }) : print(describeAccepted(accepted));
  },
};

function isIn(change: PendingChange, place: PendingPlace): boolean {
  return (['toolbox', 'server', 'tool'] as const).every(
    (key) => place[key] === undefined || place[key] === change[key],
  );
}

/** Nobody accepts what was not shown. */
async function isAgreed(pending: readonly PendingChange[]): Promise<boolean> {
  warn(describePending(pending).join('\n'));
  if (!process.stdin.isTTY) {
    fail('nothing is accepted; on a terminal it is asked, and --hash names what was read');
    return false;
  }
  return (await confirm('Accept these?')) === true;
}

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

function describePending(pending: readonly PendingChange[]): string[] {
  if (pending.length === 0) return ['Every tool is described as it was when it was first seen.'];
  return [
    ...pending.flatMap((change) => [
      nameOf(change),
      ...change.changes.flatMap(({ field, old, new: fresh }) => [
        `  ${field}:`,
        ...differenceLines(old, fresh).map((line) => `    ${line}`),
      ]),
      `  ${change.isListed ? `to accept it: nexus pins accept --hash ${change.hash}` : 'its server lists it no more, so it can’t be accepted'}`,
      '',
    ]),
    `${counted(pending.length, 'changed tool')} held back, since a server that changes what it says of a tool may mean harm. Read what changed. \`nexus pins accept [toolbox] [server] [tool]\` shows the changes again and asks whether to accept them.`,
  ];
}

function describeAccepted(accepted: readonly PendingChange[]): string[] {
  if (accepted.length === 0) return ['Nothing was held back there.'];
  return [
    `Accepted ${counted(accepted.length, 'changed tool')}:`,
    ...accepted.map((change) => `  ${nameOf(change)}`),
  ];
}

function nameOf({ toolbox, server, tool }: PendingChange): string {
  return visibleLine(`${toolbox} / ${server} / ${tool}`);
}
