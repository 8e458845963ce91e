import type { Log } from '@nexus/plugin-sdk';
import type { ServedSession } from '@nexus/server';
import { trustEvent } from '../audit/trust-event.ts';
import type { CallToCome } from '../boot/asking-first.ts';
import type { Nexus } from '../boot/boot.ts';
import type { ConfigWatch } from '../loaded-config/watch-config.ts';
import { concerns } from '../trust/concerns.ts';
import { CHOICES, trustQuestion } from '../trust/trust-question.ts';
import { declinedKey, declineParts, isDeclined, trustParts } from '../trust/trust-record.ts';

/** Hosts whose user is this user: theirs run here. Over HTTP anybody with a token asks and answers. */
const OWN_KINDS: readonly string[] = ['stdio', 'ipc'];
/** Nobody reads the question and answers it sooner: what does is a host that answers by itself, or a key typed before. */
const READING_MS = 1_500;
const READING_MS_PER_CHAR = 0.5;
/** How often a host that answers by itself, or closes its dialogue, is asked of the same. */
const MAX_TRIES = 3;
/** How long a call is held for the answer; hosts give a call up after a minute. */
const HOLD_MS = 30_000;
const ANSWER_MS = 600_000;

/**
 * Has the user of a host asked about what of the project waits for trust: when a call first needs it, since hosts that
 * still start, or have nobody before them, answer by themselves. Only a choice that a person can have made counts.
 * One that can't be asked learns of what waits by what the server says of itself.
 */
export function askHosts({ nexus, watch, log }: { nexus: Nexus; watch: ConfigWatch; log: Log }): void {
  const tries = new Map<string, number>();
  let asking: Promise<void> | undefined;

  async function ask(session: ServedSession, key: string): Promise<void> {
    const { projectRoot, trust } = watch.loaded;
    const { parts, ...asked } = trustQuestion(projectRoot, trust.waiting);
    if (parts.length === 0) return;
    tries.set(key, (tries.get(key) ?? 0) + 1);
    const askedAt = performance.now();
    try {
      const answer = await session.elicit(asked, AbortSignal.timeout(ANSWER_MS));
      const readingMs = READING_MS + asked.message.length * READING_MS_PER_CHAR;
      if (answer.action === 'cancel') return;
      if (performance.now() - askedAt < readingMs) {
        log.info('a host answered about trust faster than anybody reads: that counts as no answer', {
          session: session.id,
          action: answer.action,
        });
        return;
      }
      tries.set(key, MAX_TRIES);
      const choice = answer.action === 'accept' ? answer.content?.trust : undefined;
      if (choice === CHOICES.yes) {
        trustParts(parts, trust.parts);
        log.info('the user trusts parts of the project', { parts: parts.map(({ name }) => name) });
        await watch.reload();
        await nexus.audit
          .record(trustEvent(parts))
          .catch((error: unknown) => log.error('a yes could not be put on the audit trail', { err: error }));
      } else if (choice === CHOICES.never) declineParts(trust.waiting);
    } catch (error) {
      // It offers no forms, or has gone: the next host may do better.
      log.debug('a host could not ask its user about trust', { session: session.id, err: error });
      if (!nexus.sessions.has(session)) tries.delete(key);
    }
  }

  nexus.beforeCall((call) => {
    const { waiting } = watch.loaded.trust;
    if (waiting.length === 0) return undefined;
    const session = sessionOf(nexus, call);
    if (!session || !OWN_KINDS.includes(session.kind) || !waiting.some((part) => concerns(part, call))) {
      return undefined;
    }
    const key = `${session.client()?.name} ${declinedKey(waiting)}`;
    if ((tries.get(key) ?? 0) >= MAX_TRIES || isDeclined(waiting)) return undefined;
    asking ??= ask(session, key).finally(() => {
      asking = undefined;
    });
    return within(asking, HOLD_MS);
  });
}

function sessionOf({ sessions }: Nexus, { sessionId }: CallToCome): ServedSession | undefined {
  for (const session of sessions) if (session.id === sessionId) return session;
  return undefined;
}

function within(asked: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    void asked.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
