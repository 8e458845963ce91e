import { type ChildProcess, spawn } from 'node:child_process';
import { programEnvironment } from '@nexus/plugin-sdk';

/** Ends process groups when this process is gone, however it went. */
export interface Watchdog {
  watch(groupId: number): void;
  release(groupId: number): void;
  /** Ends what is still watched, and itself. */
  close(): void;
}

/**
 * Reads group ids until its input ends, which is when the process that writes them is gone; then ends all
 * that were not released. Asked first, forced after two seconds.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while read -r line; do
  id=\${line#?}
  case $line in
    +*) groups="$groups$id " ;;
    -*) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
  esac
done
[ "$groups" = ' ' ] && exit 0
for id in $groups; do kill -s TERM -- "-$id" 2>/dev/null; done
sleep 2
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
`;

/**
 * One for the whole process: its shell starts with the first group. Without effect on Windows, which has
 * no process groups.
 */
export function createWatchdog(): Watchdog {
  const watched = new Set<number>();
  let shell: ChildProcess | undefined;

  function start(): ChildProcess {
    // A session of its own: what ends this process's group or terminal must not end it.
    const started = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      env: programEnvironment([]),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = () => {
      if (shell === started) shell = undefined;
    };
    started.once('error', forget);
    started.once('exit', forget);
    // Without a file descriptor left for its pipe there is none, whatever the type says.
    if (!started.stdin) return started;
    started.stdin.on('error', forget);
    started.unref();
    // Waiting for it must not keep this process alive. A pipe of a child is a socket, which the type hides.
    if ('unref' in started.stdin && typeof started.stdin.unref === 'function') started.stdin.unref();
    for (const groupId of watched) started.stdin.write(`+${groupId}\n`);
    return started;
  }

  return {
    watch(groupId) {
      if (process.platform === 'win32') return;
      watched.add(groupId);
      if (shell) shell.stdin?.write(`+${groupId}\n`);
      else shell = start();
    },
    release(groupId) {
      if (watched.delete(groupId)) shell?.stdin?.write(`-${groupId}\n`);
    },
    close() {
      shell?.stdin?.end();
      shell = undefined;
      watched.clear();
    },
  };
}
