export {
  type Connection,
  type ConnectOptions,
  connect,
  createWatchdog,
  type Interactive,
  type OpenLines,
  openBrowser,
} from './connection/index.ts';
export { createDownstreams } from './create-downstreams.ts';
export type {
  DownstreamStatus,
  DownstreamsOptions,
  Environment,
  HeldChange,
  Pins,
  RunningDownstreams,
  ToolboxOutline,
  ToolboxSource,
} from './downstreams.ts';
export { endGroup } from './process/process-group.ts';
export type { Watchdog } from './process/watchdog.ts';
export type {
  OAuthSettings,
  ServerFault,
  ServerSettings,
  ToolboxSettings,
  ToolOverride,
} from './settings.ts';
