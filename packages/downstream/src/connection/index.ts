export type { Interactive } from '../auth/authority.ts';
export { openBrowser } from '../auth/open-browser.ts';
export { createWatchdog } from '../process/watchdog.ts';
export { connect } from './connect.ts';
export type { ConnectOptions, OpenLines } from './connect-options.ts';
export type { Connection, ConnectionListener, RequestOptions } from './connection.ts';
export { ConnectionError } from './connection-error.ts';
export { type ServerState, type Supervisor, supervise } from './supervise.ts';
