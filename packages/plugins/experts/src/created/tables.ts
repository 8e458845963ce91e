import type { ExpertRole } from '../roles/roles.ts';

export interface Tables {
  experts_created: CreatedRow;
}

export interface CreatedRow {
  id: string;
  role: ExpertRole;
  /** `provider:name`, a provider, or `auto`; null for the config's choice. */
  model: string | null;
  instructions: string | null;
  /** Who made it; null for the server's own user. */
  owner: string | null;
  /** Epoch milliseconds, by the database's clock. */
  created_at: number;
  /** When it was asked for last, as of then to a day. */
  used_at: number;
}
