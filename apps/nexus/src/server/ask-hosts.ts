import type { Log } from '@nexus/plugin-sdk';
import type { ServedSession } from '@nexus/server';
import type { Nexus } from '../boot/boot.ts';
import type { ConfigWatch } from '../config/watch-config.ts';
import { HOW_TO_ALLOW } from '../trust/describe-waiting.ts';
import type { Part } from '../trust/part.ts';
import { shownParts } from '../trust/shown-parts.ts';
import { declinedKey, declineParts, isDeclined, trustedBefore, trustParts } from '../trust/trust-record.ts';

/** What a person can be expected to read in a dialogue; what is longer is for `nexus trust`. */
const MAX_CHARS = 4_000;
/** Hosts whose user is this user: theirs run here. Over HTTP anybody with a token asks and answers. */
const OWN_KINDS: readonly string[] = ['stdio', 'ipc'];

/**
 * Has the user of a host asked, once, about what of the project waits for trust. One that
 * can't be asked learns of them by what the server says of itself.
 */
export function askHosts({ nexus, watch, log }: { nexus: Nexus; watch: ConfigWatch; log: Log }): void {
  const asked = new Set<string>();

  async function ask(session: ServedSession): Promise<void> {
    const { projectRoot, trust } = watch.loaded;
    const key = declinedKey(trust.waiting);
    if (trust.waiting.length === 0 || asked.has(key) || isDeclined(trust.waiting)) return;
    const { parts, lines } = asShown(trust.waiting);
    if (parts.length === 0) return;
    asked.add(key);
    try {
      const answer = await session.elicit(question(projectRoot, lines), new AbortController().signal);
      if (answer.action === 'cancel') return;
      if (answer.action === 'accept' && answer.content?.trust === true) {
        trustParts(parts, trust.parts);
        log.info('the user trusts parts of the project', { parts: parts.map(({ name }) => name) });
        await watch.reload();
      } else declineParts(trust.waiting);
    } catch (error) {
      // It offers no forms, or has gone: the next host may do better.
      asked.delete(key);
      log.debug('a host could not ask its user about trust', { session: session.id, err: error });
    }
  }

  const ready = new Set<ServedSession>();
  nexus.onReady((session) => {
    if (!OWN_KINDS.includes(session.kind)) return;
    ready.add(session);
    void session.closed.then(() => ready.delete(session));
    void ask(session);
  });
  watch.onTaken(async () => {
    // One after the other: who can't be asked leaves it to the next.
    for (const session of ready) await ask(session);
  });
}

/** As many of the parts as a person will read; nobody says yes to what was not shown. */
function asShown(waiting: readonly Part[]) {
  const before = trustedBefore(waiting);
  const parts: Part[] = [];
  const lines: string[] = [];
  for (const part of waiting) {
    const more = shownParts([part], before);
    if ([...lines, ...more].join('\n').length > MAX_CHARS) continue;
    parts.push(part);
    lines.push(...more);
  }
  if (parts.length < waiting.length)
    lines.push(`${waiting.length - parts.length} more are too long for here: ${HOW_TO_ALLOW}.`);
  return { parts, lines };
}

function question(projectRoot: string, lines: readonly string[]) {
  return {
    message: `Nexus: not trusted yet in this project (${projectRoot}):\n\n${lines.join('\n')}\n\nDo you trust these parts? They wait until you do.`,
    requestedSchema: {
      type: 'object',
      properties: {
        trust: { type: 'boolean', title: 'Trust these parts', description: 'Until one of them changes.' },
      },
      required: ['trust'],
    },
  };
}
