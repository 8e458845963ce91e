import { setImmediate as nextTurn } from 'node:timers/promises';
import { nearestNames, type ToolboxFault, ToolError } from '@nexus/plugin-sdk';
import { stableHash } from '@nexus/primitives';
import type { Environment, ToolboxOutline, ToolboxSource } from '../downstreams.ts';
import type { ToolboxSettings } from '../settings.ts';
import { createOffer, type Offer, type Offering } from './offer.ts';

/** An error names up to so many toolboxes. */
const NAMED = 20;
/** How long others wait at most while many toolboxes are expanded. */
const TURN_MS = 10;

/** The config's toolboxes as they stand now, each expanded with the variables of whoever asks. */
export interface Offers {
  readonly source: ToolboxSource;
  outline(toolbox: string): ToolboxOutline | undefined;
  /**
   * One toolbox, once for each environment.
   * @throws {ToolError} NEXUS_NOT_FOUND naming the nearest; a variable that is not set
   */
  of(toolbox: string, environment: Environment): Offer;
  /** Expands all of them ahead of `all`, letting others have their turn. */
  prepare(environment: Environment): Promise<void>;
  /** All of them; one whose settings can’t be expanded is faulty, and the others are not. */
  all(environment: Environment): {
    readonly offers: readonly Offer[];
    readonly faulty: readonly (ToolboxFault & { readonly toolbox: string })[];
  };
  /** The config is another now. */
  replace(source: ToolboxSource): void;
}

export function createOffers(first: ToolboxSource, offering: Offering): Offers {
  let source = first;
  let outlines = outlinesOf(first);
  let expanded = new WeakMap<Environment, Map<string, Offer>>();
  /** By their keys, for as long as somebody has them. */
  const shared = new Map<string, WeakRef<Offer>>();
  const forgotten = new FinalizationRegistry<string>((key) => {
    // Another one may have its place by now.
    if (!shared.get(key)?.deref()) shared.delete(key);
  });
  /** Hosts that a toolbox is the same for are given the same settings: nothing of them is worked out again. */
  const bySettings = new WeakMap<ToolboxSettings, Offer>();

  function share(toolbox: string, environment: Environment): Offer {
    const settings = source.settings(toolbox, environment);
    const same = bySettings.get(settings);
    if (same) return same;
    const key = stableHash([toolbox, settings]);
    const offer = shared.get(key)?.deref() ?? createOffer({ toolbox, key, settings }, offering);
    if (shared.get(key)?.deref() !== offer) {
      shared.set(key, new WeakRef(offer));
      forgotten.register(offer, key);
    }
    bySettings.set(settings, offer);
    return offer;
  }

  function of(toolbox: string, environment: Environment): Offer {
    const known = expanded.get(environment) ?? new Map<string, Offer>();
    expanded.set(environment, known);
    if (!outlines.has(toolbox)) throw noToolbox(toolbox, [...outlines.keys()]);
    const offer = known.get(toolbox) ?? share(toolbox, environment);
    known.set(toolbox, offer);
    return offer;
  }

  return {
    get source() {
      return source;
    },
    outline: (toolbox) => outlines.get(toolbox),
    of,
    async prepare(environment) {
      let from = performance.now();
      for (const { name } of source.toolboxes) {
        try {
          of(name, environment);
        } catch {} // told of by `all`
        if (performance.now() - from < TURN_MS) continue;
        await nextTurn();
        from = performance.now();
      }
    },
    all(environment) {
      const outcomes = source.toolboxes.map(({ name, servers }) => {
        try {
          const offer = of(name, environment);
          return {
            offers: [offer],
            faulty: offer.settings.faults.map((fault) => ({ toolbox: name, ...fault })),
          };
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          return { offers: [], faulty: servers.map((server) => ({ toolbox: name, server, reason })) };
        }
      });
      return {
        offers: outcomes.flatMap(({ offers }) => offers),
        faulty: outcomes.flatMap(({ faulty }) => faulty),
      };
    },
    replace(next) {
      source = next;
      outlines = outlinesOf(next);
      expanded = new WeakMap();
    },
  };
}

function outlinesOf({ toolboxes }: ToolboxSource): ReadonlyMap<string, ToolboxOutline> {
  return new Map(toolboxes.map((each) => [each.name, each]));
}

function noToolbox(toolbox: string, names: readonly string[]): ToolError {
  const nearest = nearestNames(toolbox, names);
  const all = names.length > NAMED ? `${names.length}, which list_toolboxes names` : names.join(', ');
  const hint =
    nearest.length > 0
      ? `did you mean ${nearest.join(' or ')}?`
      : `the config has ${names.length === 0 ? 'none' : all}`;
  return new ToolError('NEXUS_NOT_FOUND', `There is no toolbox "${toolbox}"; ${hint}`, {
    detail: { nearest },
  });
}
