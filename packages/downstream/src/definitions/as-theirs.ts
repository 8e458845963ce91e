import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { AnyText, attributionTo, mentionsNexus, soundsLikeNexus } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';

/** What an offer is shown as, beside the name that a tool or a prompt is called by. */
const LABELS = ['title'];
/** A resource is read by its URI. */
const LABELS_OF_RESOURCE = ['title', 'name'];

/**
 * A tool or a prompt as it is listed to hosts, so that nothing in it can be taken for Nexus's own word: where something
 * sounds like Nexus, the description, which models read, says first whose it is; a label that speaks of Nexus begins with
 * whose it is. All else is as served: the very object, where nothing does.
 * @param who the server, as its users know it
 */
export function asTheirs<Offer extends Members>(offer: Offer, who: string): Offer {
  return withLabels(withLine(offer, who), who, LABELS);
}

/** The same of a resource, or a template of resources. */
export function resourceAsTheirs(offer: Members, who: string): Members {
  return withLabels(withLine(offer, who), who, LABELS_OF_RESOURCE);
}

/** Neither is read by a model, and both may be long. */
const UNREAD = new Set(['_meta', 'icons']);

function withLine<Offer extends Members>(offer: Offer, who: string): Offer {
  const read = Object.entries(offer).filter(([key]) => !UNREAD.has(key));
  if (!new AnyText(soundsLikeNexus).isIn(Object.fromEntries(read))) return offer;
  const { description } = offer;
  const line = attributionTo(who);
  return { ...offer, description: typeof description === 'string' ? `${line}\n${description}` : line };
}

function withLabels<Of extends Members>(of: Of, who: string, labels: readonly string[]): Of {
  const spoken = labels.filter((key) => typeof of[key] === 'string' && mentionsNexus(of[key]));
  const { annotations } = of;
  const inside = isRecord(annotations) ? withLabels(annotations, who, LABELS) : annotations;
  if (spoken.length === 0 && inside === annotations) return of;
  return {
    ...of,
    ...Object.fromEntries(spoken.map((key) => [key, `${visibleLine(who)}: ${visibleLine(String(of[key]))}`])),
    ...(inside === annotations ? {} : { annotations: inside }),
  };
}
