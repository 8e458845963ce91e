import type { BudgetClass } from '@nexus/plugin-sdk';
import type { SendRequest } from '../../../apps/nexus/src/governance/drift/read-server.ts';

/** One way by which a client reaches Nexus. What is served must be the same on each. */
export interface WayIn {
  readonly name: string;
  /** Starts a server of its own and opens a session with it by the official SDK's client. */
  open(): Promise<OpenWay>;
}

export interface OpenWay extends AsyncDisposable {
  readonly send: SendRequest;
  /** Budgets per tool, where they can be seen: they are not on the wire. */
  readonly budgets?: Readonly<Record<string, BudgetClass>>;
}
