import type { Catalogue } from './catalogue/catalogue.ts';
import type { WorkflowsOptions } from './options.ts';
import type { Room } from './reading/room.ts';

export interface WorkflowsState {
  readonly options: WorkflowsOptions;
  readonly catalogue: Catalogue;
  readonly room: Room;
}
