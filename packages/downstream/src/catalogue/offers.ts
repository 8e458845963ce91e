import { nearestNames, type ToolboxFault, ToolError } from '@nexus/plugin-sdk';
import type { Environment, ToolboxSource } from '../downstreams.ts';
import { stableHash } from '../stable-hash.ts';
import { createOffer, type Offer, type Offering } from './offer.ts';

/** The config's toolboxes as they stand now, each expanded with the variables of whoever asks. */
export interface Offers {
  readonly source: ToolboxSource;
  /**
   * One toolbox, once for each environment.
   * @throws {ToolError} NEXUS_NOT_FOUND naming the nearest; a variable that is not set
   */
  of(toolbox: string, environment: Environment): Offer;
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
  let expanded = new WeakMap<Environment, Map<string, Offer>>();
  /** By their keys, for as long as somebody has them. */
  const shared = new Map<string, WeakRef<Offer>>();

  function share(toolbox: string, environment: Environment): Offer {
    const settings = source.settings(toolbox, environment);
    const key = stableHash([toolbox, settings]);
    const known = shared.get(key)?.deref();
    if (known) return known;
    for (const [each, offer] of shared) if (!offer.deref()) shared.delete(each);
    const offer = createOffer({ toolbox, key, settings }, offering);
    shared.set(key, new WeakRef(offer));
    return offer;
  }

  function of(toolbox: string, environment: Environment): Offer {
    const known = expanded.get(environment) ?? new Map<string, Offer>();
    expanded.set(environment, known);
    const names = source.toolboxes.map(({ name }) => name);
    if (!names.includes(toolbox)) throw noToolbox(toolbox, names);
    const offer = known.get(toolbox) ?? share(toolbox, environment);
    known.set(toolbox, offer);
    return offer;
  }

  return {
    get source() {
      return source;
    },
    of,
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
      expanded = new WeakMap();
    },
  };
}

function noToolbox(toolbox: string, names: readonly string[]): ToolError {
  const nearest = nearestNames(toolbox, names);
  const hint =
    nearest.length > 0
      ? `did you mean ${nearest.join(' or ')}?`
      : `the config has ${names.length === 0 ? 'none' : names.join(', ')}`;
  return new ToolError('NEXUS_NOT_FOUND', `There is no toolbox "${toolbox}"; ${hint}`, {
    detail: { nearest },
  });
}
