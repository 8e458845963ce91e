import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { changed, iconsAsTaken } from './as-hosts-take.ts';
import type { Definition } from './read-definitions.ts';

// As tools are: one odd key of one item has a client on the official SDK refuse the whole list.

/** @returns undefined where nothing tells what could be read; a resource without a name is called by its URI */
export function resourceAsHostsTake(resource: Members): Members | undefined {
  return offerAsTaken(resource, 'uri');
}

export function templateAsHostsTake(template: Members): Members | undefined {
  return offerAsTaken(template, 'uriTemplate');
}

export function promptAsHostsTake(prompt: Definition): Definition {
  const { arguments: args } = prompt;
  return changed(prompt, {
    ...commonAsTaken(prompt),
    arguments: Array.isArray(args) ? argumentsAsTaken(args) : undefined,
  }) as Definition; // with its name
}

function offerAsTaken(offer: Members, key: 'uri' | 'uriTemplate'): Members | undefined {
  const { [key]: address, name, size, annotations } = offer;
  if (typeof address !== 'string') return undefined;
  const taken = changed(offer, {
    ...commonAsTaken(offer),
    mimeType: text(offer.mimeType),
    size: typeof size === 'number' ? size : undefined,
    annotations: isRecord(annotations) ? annotationsAsTaken(annotations) : undefined,
  });
  return typeof name === 'string' ? taken : { ...taken, name: address };
}

function commonAsTaken({ title, description, icons, _meta }: Members): Members {
  return {
    title: text(title),
    description: text(description),
    icons: Array.isArray(icons) ? iconsAsTaken(icons) : undefined,
    _meta: isRecord(_meta) ? _meta : undefined,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

function annotationsAsTaken(annotations: Members): Members {
  const { audience, priority, lastModified } = annotations;
  const isAudience =
    Array.isArray(audience) && audience.every((one) => one === 'user' || one === 'assistant');
  const isPriority = typeof priority === 'number' && priority >= 0 && priority <= 1;
  const isMoment = typeof lastModified === 'string' && MOMENT.test(lastModified);
  return changed(annotations, {
    audience: isAudience ? audience : undefined,
    priority: isPriority ? priority : undefined,
    lastModified: isMoment && !Number.isNaN(Date.parse(lastModified)) ? lastModified : undefined,
  });
}

function argumentsAsTaken(args: readonly unknown[]): readonly unknown[] {
  const taken = args.flatMap((arg) => {
    if (!isRecord(arg) || typeof arg.name !== 'string') return [];
    const required = typeof arg.required === 'boolean' ? arg.required : undefined;
    return [changed(arg, { description: text(arg.description), required })];
  });
  return taken.length === args.length && taken.every((arg, at) => arg === args[at]) ? args : taken;
}
