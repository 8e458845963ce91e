import { isAnyFound } from '@nexus/models/found';
import { findProgram } from '../config/find-program.ts';
import type { Config } from '../config/schema.ts';
import { providerSettings } from './provider-settings.ts';

/** How long an answer holds; nobody installs a model's program more often. */
const HOLDS_MS = 10_000;
/** Between looks that nobody asked for. */
const LOOK_AGAIN_MS = 60_000;

export interface ModelThere {
  /**
   * Whether a client has a model to ask here. Nothing is loaded for it: a list that waited for that would wait for all
   * that a start has put off until after its first answer.
   */
  isThere(offersSampling: boolean): Promise<boolean>;
  close(): void;
}

/** @param changed hears when a model is there that was not, or the other way, once somebody asked */
export function modelThere(
  providers: Config['models']['providers'],
  projectRoot: string,
  changed: () => void,
): ModelThere {
  let known: boolean | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let hasClosed = false;

  function look(): boolean {
    const found = isAnyFound(providerSettings(providers), {
      environment: process.env,
      findProgram: (command) => findProgram(command, { cwd: projectRoot, env: process.env }),
    });
    const before = known;
    known = found;
    lookedAt = performance.now();
    if (before !== undefined && before !== found) changed();
    if (!hasClosed) timer ??= setInterval(look, LOOK_AGAIN_MS).unref();
    return found;
  }

  return {
    async isThere(offersSampling) {
      if (offersSampling && providers.host?.enabled !== false) return true;
      return known !== undefined && performance.now() - lookedAt < HOLDS_MS ? known : look();
    },
    close() {
      hasClosed = true;
      clearInterval(timer);
    },
  };
}
