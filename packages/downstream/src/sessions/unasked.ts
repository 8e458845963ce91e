import { setMaxListeners } from 'node:events';
import { type Log, ToolError } from '@nexus/plugin-sdk';
import type { Offers } from '../catalogue/offers.ts';
import type { Openings } from './openings.ts';
import { type Session, tell } from './session.ts';

/** Toolboxes that no call asked for: what becomes of them, nobody's answer says, so the session is told. */
export interface Unasked {
  /** Whether each session is to have it. Not one whose settings can’t be expanded: whoever opens it is told why. */
  isWanted(session: Session, toolbox: string): boolean;
  /** @returns whether it is open now */
  open(session: Session, toolbox: string): Promise<boolean>;
}

export interface UnaskedOptions {
  readonly offers: Offers;
  readonly openings: Openings;
  readonly log: Log;
  readonly shutdown: AbortSignal;
}

export function createUnasked({ offers, openings, log, shutdown }: UnaskedOptions): Unasked {
  // Each toolbox that opens waits for it, however many a config has.
  setMaxListeners(0, shutdown);
  return {
    isWanted(session, toolbox) {
      // Nothing is expanded for a toolbox that nobody asked for.
      if (offers.outline(toolbox)?.autoOpen !== true) return false;
      try {
        return offers.of(toolbox, session.environment).settings.autoOpen;
      } catch {
        return false;
      }
    },
    async open(session, toolbox) {
      try {
        const { faults } = await openings.open(session, toolbox, { signal: shutdown });
        const servers = faults.filter(({ tool }) => tool === undefined);
        for (const { server, reason } of servers) {
          warn(session, `Toolbox "${toolbox}" is open without server "${server}": ${reason}`);
        }
        return true;
      } catch (error) {
        if (session.scope.hasEnded) return false;
        const text = `Toolbox "${toolbox}" could not be opened: ${error instanceof Error ? error.message : String(error)}`;
        log.warn(text, error instanceof ToolError ? {} : { err: error });
        warn(session, text);
        return false;
      }
    },
  };
}

/** Tells a session what happened to its toolboxes. */
export function warn(session: Session, text: string): void {
  tell(session, 'notifications/message', { level: 'warning', logger: 'toolboxes', data: text });
}
