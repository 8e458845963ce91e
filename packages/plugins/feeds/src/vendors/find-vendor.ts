import { nearestNames, ToolError } from '@nexus/plugin-sdk';
import type { FeedsOptions } from '../options.ts';
import { seed } from './seed.ts';
import type { Vendor } from './vendor.ts';

export type Found = Vendor & {
  readonly name: string;
  /** Whose word it is where the vendor publishes. */
  readonly listedBy: 'nexus' | 'config';
};

/** @throws {ToolError} NEXUS_NOT_FOUND with the nearest names */
export function findVendor(wanted: string, { vendors }: FeedsOptions): Found {
  const name = wanted.trim().toLowerCase();
  const own = Object.hasOwn(vendors, name) ? vendors[name] : undefined;
  if (own) return { name, title: own.title ?? name, publishes: own.publishes, listedBy: 'config' };
  const shipped = Object.hasOwn(seed, name) ? seed[name] : undefined;
  if (shipped) return { ...shipped, name, listedBy: 'nexus' };
  const names = vendorNames({ vendors });
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known are ${names.join(', ')}.`;
  throw new ToolError(
    'NEXUS_NOT_FOUND',
    `There is no vendor ${JSON.stringify(wanted)}. ${hint} feeds.vendors in the config names others.`,
    { detail: { nearest: near } },
  );
}

function vendorNames({ vendors }: FeedsOptions): string[] {
  return [...new Set([...Object.keys(seed), ...Object.keys(vendors)])].sort();
}
