export type { Interactive } from '../auth/authority.ts';
export { openBrowser } from '../auth/open-browser.ts';
export { maskSecrets } from '../process/mask-secrets.ts';
export { createWatchdog, type Watchdog } from '../process/watchdog.ts';
export { connect } from './connect.ts';
export { type ConnectOptions, DEFAULT_CAPABILITIES, type OpenLines } from './connect-options.ts';
export type {
  Connection,
  ConnectionListener,
  Ending,
  RequestOptions,
  ServerIdentity,
} from './connection.ts';
export { ConnectionError } from './connection-error.ts';
export { type ServerState, type SuperviseOptions, type Supervisor, supervise } from './supervise.ts';
