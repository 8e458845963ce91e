export { endGroup } from './end-group.ts';
export { hasEnded, isAlive } from './is-alive.ts';
export { createPrograms } from './programs.ts';
export { LostProgramError, runProgram, type StartedProgram, UnstartableError } from './run-program.ts';
export { startProgram } from './starting/start-program.ts';
export type { ExitOfProgram, Started } from './starting/started.ts';
export { createWatchdog, type Watchdog } from './watchdog.ts';
