import type { CreatedExperts } from './created/created-experts.ts';
import type { ExpertsOptions } from './options.ts';

export interface ExpertsState {
  readonly options: ExpertsOptions;
  readonly created: CreatedExperts;
}
