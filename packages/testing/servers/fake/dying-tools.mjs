import { spawn } from 'node:child_process';
import { text, tool } from './tool.mjs';

/** Outlives the end of stdin and SIGHUP; ends by itself after ten minutes, whatever the tests forgot. */
const GRANDCHILD = "process.on('SIGHUP', () => {}); setTimeout(() => {}, 600_000)";

/** A process that dies in the middle of a call, and one that has children of its own. */
export function dyingTools() {
  return [
    tool({
      name: 'die',
      description: 'Ends the process in the middle of this call: by an exit code, or killed as by a crash.',
      inputSchema: {
        type: 'object',
        properties: { exitCode: { type: 'integer', default: 1 }, kill: { type: 'boolean' } },
      },
      call({ exitCode = 1, kill = false }) {
        process.stderr.write('died as asked\n');
        if (kill) process.kill(process.pid, 'SIGKILL');
        setImmediate(() => process.exit(exitCode));
        return new Promise(() => {});
      },
    }),
    tool({
      name: 'fork',
      description: 'Starts a grandchild that takes no notice of the end of stdin; answers its process id.',
      call() {
        const { pid } = spawn(process.execPath, ['-e', GRANDCHILD], { stdio: 'ignore' });
        return { ...text(String(pid)), structuredContent: { pid } };
      },
    }),
  ];
}
