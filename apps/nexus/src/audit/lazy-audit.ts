import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommittedEvent, Trail, TrailEvent } from '@nexus/audit';
import type { CallAudit, CallEnded, CallFailure } from '@nexus/core';
import { type Audit, type Log, type Store, ToolError } from '@nexus/plugin-sdk';
import { cutEnd, isInside } from '@nexus/primitives';
import { redactJson } from '@nexus/untrusted/secrets';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { knownTrail, knownTrailFile } from './known-trails.ts';
import { type OpenAnchors, openAnchors } from './open-anchors.ts';
import { auditKeyFile, trailFolder, trailParts, trailProject } from './trail-parts.ts';

/** Of a client, which calls itself what it wants. */
const MAX_NAME_CHARS = 200;

export interface LazyAudit extends Audit, CallAudit {
  close(): Promise<void>;
}

/** The audit trail of this process, whose code is loaded and whose chain begins with the first event: a start costs nothing. */
export function lazyAudit(loaded: LoadedConfig, log: Log, store?: Store): LazyAudit {
  const { enabled, servers, onFailure, contents } = loaded.config.audit;
  let trail: Trail | undefined;
  let opening: Promise<Trail> | undefined;
  let anchoring: Promise<OpenAnchors> | undefined;
  /** Events that could not be written and that no event tells of yet. */
  let missed = 0;

  async function anchors() {
    anchoring ??= openAnchors(loaded, store);
    return (await anchoring).anchors;
  }

  /** Where texts are kept, no secret is among them. */
  function keptTexts(texts: NonNullable<TrailEvent['texts']>): NonNullable<TrailEvent['texts']> {
    return contents === 'full' ? redactJson(texts) : texts;
  }

  async function open(): Promise<Trail> {
    const { openTrail } = await import('@nexus/audit');
    const opened = openTrail({ ...trailParts(loaded), anchors: await anchors(), log });
    await opened.open();
    trail = opened;
    return opened;
  }

  /** A trail that could not be begun is tried again with the next event. */
  function opened(): Promise<Trail> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  /**
   * @returns its number, at once where its texts are small; undefined where it could not be written and work goes on
   * without it
   */
  function append(
    to: Trail,
    { texts = {}, ...event }: TrailEvent,
  ): number | undefined | Promise<number | undefined> {
    try {
      const made = to.commitTo(keptTexts(texts));
      if (!(made instanceof Promise)) return put(to, { ...event, texts: made });
      return made.then((later) => put(to, { ...event, texts: later })).catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  function put(to: Trail, event: CommittedEvent): number {
    tellMissed(to);
    return to.append(event);
  }

  /** @throws what the system says */
  function tellMissed(to: Trail): void {
    if (missed === 0) return;
    to.append({ kind: 'events.missed', data: { count: missed } });
    missed = 0;
  }

  function failed(error: unknown): undefined {
    log.error('the audit trail could not be written', { folder: trailFolder(loaded.dataDir), err: error });
    if (onFailure === 'allow') {
      missed += 1;
      return;
    }
    throw new ToolError(
      'NEXUS_AUDIT_UNAVAILABLE',
      `The audit trail in ${trailFolder(loaded.dataDir)} could not be written: ${(error as Error).message}. Nothing was done. Make room there, or set audit.onFailure to "allow" in the config.`,
      { cause: error },
    );
  }

  function begun(to: Trail, event: TrailEvent): CallEnded | Promise<CallEnded> {
    const intent = append(to, event);
    return intent instanceof Promise ? intent.then((later) => endOf(to, later)) : endOf(to, intent);
  }

  function endOf(to: Trail, intent: number | undefined): CallEnded {
    return (failure) => {
      if (intent !== undefined) end(to, intent, failure);
    };
  }

  /** The call is over: what can't be written now is missed by whoever verifies the trail. */
  function end(to: Trail, intent: number, failure: CallFailure | undefined): void {
    const outcome = failure ? { ok: false, code: failure.code } : { ok: true };
    try {
      to.append({ kind: 'call.outcome', data: { intent, ...outcome } });
    } catch (error) {
      missed += 1;
      log.error('how a call ended could not be put on the audit trail', { intent, err: error });
    }
  }

  function endMissed(to: Trail): void {
    try {
      tellMissed(to);
    } catch (error) {
      log.error('events are not on the audit trail', { missed, err: error });
    }
  }

  return {
    wants: ({ hints, origin }) =>
      enabled && (!hints.readOnlyHint || (servers === 'all' && origin !== undefined)),
    begin(call) {
      const { tool, caller, trace, run, isOwn, parsed } = call;
      const given = parsed.arguments;
      const event: TrailEvent = {
        kind: 'call.intent',
        data: {
          tool: tool.origin ?? tool.name,
          session: caller.session.id,
          ...(caller.user === undefined ? {} : { user: caller.user }),
          client: cutEnd(caller.client.name, MAX_NAME_CHARS),
          trace: trace.traceId,
          ...(run ? { run: run.id, step: run.step } : {}),
          isNested: !isOwn && !run,
        },
        texts: { arguments: given },
      };
      if (trail) return begun(trail, event);
      return opened().then(
        (to) => begun(to, event),
        (error: unknown) => {
          failed(error);
          return () => undefined;
        },
      );
    },
    async record(event) {
      if (!enabled) return;
      try {
        await append(await opened(), event);
      } catch (error) {
        if (error instanceof ToolError) throw error;
        failed(error);
      }
    },
    async verify(folder) {
      const own = trailFolder(loaded.dataDir);
      const asked = folder === undefined ? own : resolve(loaded.dataDir, folder);
      if (!isInside({ path: asked, folder: loaded.dataDir })) {
        throw new ToolError(
          'NEXUS_OUTSIDE_ROOTS',
          `The folder ${asked} is not inside of the data directory, ${loaded.dataDir}: copy the trail there, and name its folder.`,
        );
      }
      const project = trailProject(asked);
      const keyFile = auditKeyFile(loaded);
      const knownFile = knownTrailFile(keyFile, asked);
      const known = asked === own ? knownTrail(knownFile) : undefined;
      const what = `the trail of this folder was ${known}; it was taken away, or another was put in its place. If you did that yourself, delete ${knownFile}`;
      if (project === undefined) {
        if (known !== undefined) throw new ToolError('NEXUS_NOT_FOUND', `${asked}: ${what}.`);
        throw new ToolError(
          'NEXUS_NOT_FOUND',
          `There is no audit trail in ${asked}: it begins with the first call that may change something.`,
        );
      }
      const { openKey, verifyTrail } = await import('@nexus/audit');
      const key = existsSync(keyFile) ? openKey(keyFile, 'nexus') : undefined;
      const found = await verifyTrail({
        trail: asked,
        project,
        key: key?.text,
        otherKeys: key?.others?.map(({ text }) => text) ?? [],
        anchors: asked === own ? await anchors() : [],
      });
      if (known === undefined || known === project) return found;
      const faults = [...found.faults, { kind: 'swapped', where: asked, what }];
      return { ...found, faults, unaltered: false, complete: false };
    },
    async *calls(moment) {
      const folder = trailFolder(loaded.dataDir);
      if (trailProject(folder) === undefined) return;
      const { auditedCalls } = await import('@nexus/audit');
      yield* auditedCalls(folder, moment);
    },
    async close() {
      await opening?.catch(() => undefined);
      if (trail) endMissed(trail);
      await trail?.close();
      await (await anchoring)?.close();
    },
  };
}
