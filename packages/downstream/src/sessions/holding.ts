import type { Offer } from '../catalogue/offer.ts';
import type { Lease } from '../leases/lease.ts';

/**
 * What a session has of one toolbox. It is a value: from nothing to tools reached one by one, to all of an open
 * toolbox, and to nothing again, each step puts another in the place of the one before.
 */
export type Holding = ReachedTools | OpenToolbox;

/** Tools that `use_tool` asked for; a connection is leased for each call. */
export interface ReachedTools {
  readonly state: 'reached';
  readonly offer: Offer;
  /** Registered names. */
  readonly names: ReadonlySet<string>;
}

export interface OpenToolbox {
  readonly state: 'open';
  readonly offer: Offer;
  /** They keep its connections. */
  readonly leases: readonly Lease[];
}

export function openOf(holding: Holding | undefined): OpenToolbox | undefined {
  return holding?.state === 'open' ? holding : undefined;
}

export function leasesOf(holding: Holding | undefined): readonly Lease[] {
  return openOf(holding)?.leases ?? [];
}
