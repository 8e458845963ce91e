export { endGroup } from './end-group.ts';
export { isAlive } from './is-alive.ts';
export { createPrograms } from './programs.ts';
export { runProgram, type StartedProgram, UnstartableError } from './run-program.ts';
export { createWatchdog, type Watchdog } from './watchdog.ts';
