import type { Downstreams, PassedRequest } from '@nexus/core';
import type { Log, Root, SessionScope, ToolSummary } from '@nexus/plugin-sdk';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { RequestExtra } from './handler.ts';
import type { KeptResults } from './results/kept-results.ts';

/** What one session serves beside tools: its own first, then what the servers behind it have. */
export interface CatalogueSession {
  readonly scope: SessionScope;
  /** Absent for whoever runs as the same user as the server. */
  readonly user: string | undefined;
  /** What its client may read: see `Caller.roots`. */
  roots(): Promise<readonly Root[]>;
  readonly catalogue: Catalogue;
  readonly downstreams: Downstreams;
  readonly results: KeptResults | undefined;
  /** URIs that the client subscribed to. */
  readonly subscribed: Set<string>;
  readonly log: Log;
  /** The tools of this session, for prompts that speak of them. */
  tools(): readonly ToolSummary[];
  /** A request as it goes on to a server behind this one. */
  passed(params: Readonly<Record<string, unknown>>, extra: RequestExtra): PassedRequest;
}
