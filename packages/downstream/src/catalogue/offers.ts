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
  /** In the order of their names. */
  outlines(): readonly ToolboxOutline[];
  outline(toolbox: string): ToolboxOutline | undefined;
  /**
   * One toolbox, once for each environment.
   * @throws {ToolError} NEXUS_NOT_FOUND naming the nearest; a variable that is not set
   */
  of(toolbox: string, environment: Environment): Offer;
  /** Why a server will not start as things are. */
  lacks(toolbox: string, server: string): string | undefined;
  /** Expands them, by default all ahead of `all`, letting others have their turn; returns those that could be. */
  prepare(environment: Environment, toolboxes?: readonly string[]): Promise<readonly Offer[]>;
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
  let known = readSource(first);
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
    const offered = expanded.get(environment) ?? new Map<string, Offer>();
    expanded.set(environment, offered);
    if (!known.outlines.has(toolbox)) throw noToolbox(toolbox, [...known.outlines.keys()]);
    const offer = offered.get(toolbox) ?? share(toolbox, environment);
    offered.set(toolbox, offer);
    return offer;
  }

  return {
    get source() {
      return source;
    },
    outlines: () => known.inOrder,
    outline: (toolbox) => known.outlines.get(toolbox),
    lacks: (toolbox, server) => known.lacks.get(toolbox)?.get(server),
    of,
    async prepare(environment, toolboxes = [...known.outlines.keys()]) {
      const offers: Offer[] = [];
      let from = performance.now();
      for (const name of toolboxes) {
        try {
          offers.push(of(name, environment));
        } catch {} // told of by `all`
        if (performance.now() - from < TURN_MS) continue;
        await nextTurn();
        from = performance.now();
      }
      return offers;
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
      known = readSource(next);
      expanded = new WeakMap();
    },
  };
}

/** What is asked of a config all the time, worked out once. */
function readSource({ toolboxes, lacking = [] }: ToolboxSource) {
  const lacks = new Map<string, Map<string, string>>();
  for (const { toolbox, server, reason } of lacking) {
    const ofToolbox = lacks.get(toolbox) ?? new Map<string, string>();
    lacks.set(toolbox, ofToolbox.set(server, reason));
  }
  return {
    outlines: new Map(toolboxes.map((each) => [each.name, each])),
    inOrder: [...toolboxes].sort((one, other) => (one.name < other.name ? -1 : 1)),
    lacks,
  };
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
