import type { CallContext } from '@nexus/plugin-sdk';
import type { FeedsState } from '../state.ts';
import { findVendor } from '../vendors/find-vendor.ts';
import { type Copy, copyOf } from './copies.ts';
import { type Finding, findingsOf } from './findings-of.ts';

export interface Audit {
  readonly vendor: string;
  readonly title: string;
  readonly listedBy: 'nexus' | 'config';
  readonly publications: Copy[];
  readonly findings: Finding[];
  /** How what has not been fetched is fetched. */
  readonly toFetch?: string;
}

export async function audit(vendor: string, context: CallContext<FeedsState>): Promise<Audit> {
  const found = findVendor(vendor, context.state.options);
  const { name, title, listedBy, publishes } = found;
  const publications = await Promise.all(publishes.map((each) => copyOf(each, context)));
  const isLacking = publications.some(({ state }) => state === 'not_fetched');
  return {
    vendor: name,
    title,
    listedBy,
    publications,
    findings: findingsOf(found, publications, Date.now()),
    ...(isLacking ? { toFetch: `nexus feeds fetch ${name}` } : {}),
  };
}
