export { createDownstreams } from './create-downstreams.ts';
export type {
  DownstreamStatus,
  DownstreamsOptions,
  Environment,
  PendingChange,
  PendingPlace,
  Pins,
  RunningDownstreams,
  ServerTrial,
  ToolboxOutline,
  ToolboxSource,
} from './downstreams.ts';
export type { ServerFault, ServerSettings, ToolboxSettings, ToolOverride } from './settings.ts';
