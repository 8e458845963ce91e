import type { ExpertRole } from '@nexus/plugin-sdk';

export interface Tables {
  experts_created: CreatedRow;
}

export interface CreatedRow {
  id: string;
  role: ExpertRole;
  /** `provider:name`, a provider, or `auto`; null for the config's choice. */
  model: string | null;
  instructions: string | null;
  /** Epoch milliseconds, by the database's clock. */
  created_at: number;
}
