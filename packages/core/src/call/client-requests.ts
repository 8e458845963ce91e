import {
  type Answer,
  type AskedQuestion,
  type ElicitationAnswer,
  type ElicitationRequest,
  type SamplingAnswer,
  type SamplingRequest,
  ToolError,
} from '@nexus/plugin-sdk';

/** Requests from a tool to the client of its call; each ends with the signal. */
export interface ClientRequests {
  /** What of its own model the client offers. */
  readonly sampling: 'none' | 'text' | 'tools';
  /** @throws {ToolError} NEXUS_UNAVAILABLE, NEXUS_REFUSED */
  sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
  /** @throws {ToolError} NEXUS_UNAVAILABLE, NEXUS_REFUSED */
  elicit(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /**
   * Puts a run's question to the client's user, whole, and again where what comes back does not fit it.
   * @returns undefined where its user closed the dialogue
   * @throws {ToolError} NEXUS_UNAVAILABLE, NEXUS_REFUSED
   */
  answer(question: AskedQuestion, signal: AbortSignal): Promise<Answer | undefined>;
  /**
   * Any request of the protocol, params and result as they are.
   * @throws {ToolError} NEXUS_UNAVAILABLE where the client does not offer it
   * @throws {ProtocolError} what the client answered
   */
  pass(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** @throws {ToolError} NEXUS_UNAVAILABLE for a call that has no client behind it */
export function askable(ask: ClientRequests | undefined, what: string): ClientRequests {
  if (ask) return ask;
  throw new ToolError('NEXUS_UNAVAILABLE', `This call came from no client that offers ${what}.`);
}
