import {
  type ElicitationAnswer,
  type ElicitationRequest,
  type SamplingAnswer,
  type SamplingRequest,
  ToolError,
} from '@nexus/plugin-sdk';

/** Requests from a tool to the client of its call; each ends with the signal. */
export interface ClientRequests {
  /** @throws {ToolError} NEXUS_UNAVAILABLE, NEXUS_REFUSED */
  sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
  /** @throws {ToolError} NEXUS_UNAVAILABLE, NEXUS_REFUSED */
  elicit(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
}

/** @throws {ToolError} NEXUS_UNAVAILABLE for a call that has no client behind it */
export function askable(ask: ClientRequests | undefined, what: string): ClientRequests {
  if (ask) return ask;
  throw new ToolError('NEXUS_UNAVAILABLE', `This call came from no client that offers ${what}.`);
}
