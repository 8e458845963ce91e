export type {
  DownstreamStatus,
  DownstreamsOptions,
  Environment,
  HeldChange,
  OpenLines,
  Pins,
  RunningDownstreams,
  ToolboxOutline,
  ToolboxSource,
} from './downstreams.ts';
export type { OAuthSettings, ServerSettings, ToolboxSettings, ToolOverride } from './settings.ts';
