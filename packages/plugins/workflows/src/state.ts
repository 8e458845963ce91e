import type { Catalogue } from './catalogue/catalogue.ts';
import type { WorkflowsOptions } from './options.ts';

export interface WorkflowsState {
  readonly options: WorkflowsOptions;
  readonly catalogue: Catalogue;
}
