import { execa } from 'execa';
import { vi } from 'vitest';
import { bin } from './app.ts';
import type { Project } from './project.ts';

/** What stands in a window of tmux once a command is over. */
export interface Screen {
  /** Lines as they stand there, without what is empty at their ends. */
  readonly lines: readonly string[];
  /** Lines that the terminal itself had to go on with in the next, since they were too long. */
  readonly overlong: readonly string[];
  /** The same with colours and weights as control sequences. */
  readonly styled: string;
  readonly exitCode: number;
}

/** Windows are this high: nothing scrolls away. */
const ROWS = 400;
const ENDED = 'it ended with';

let opened = 0;

export const hasTmux = async () => (await execa('tmux', ['-V'], { reject: false })).exitCode === 0;

/** Runs `nexus <args>` in a window of a tmux of its own. */
export async function inTmux(
  { root, env }: Project,
  args: readonly string[],
  {
    columns,
    settings = {},
  }: { readonly columns: number; readonly settings?: Readonly<Record<string, string>> },
): Promise<Screen> {
  opened += 1;
  const tmux = async (...words: string[]) => {
    const { stdout } = await execa(
      'tmux',
      ['-L', `nexus-${process.pid}-${opened}`, '-f', '/dev/null', ...words],
      {
        cwd: root,
        env,
        extendEnv: false,
        stdin: 'ignore',
      },
    );
    return stdout;
  };
  const set = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const words = ['env', ...set, process.execPath, bin, ...args];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  // It stays until it was read.
  const script = `${command}; echo "${ENDED} $?"; read -r _`;
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(ROWS), 'sh', '-c', script);
  try {
    const text = await vi.waitFor(
      async () => {
        const shown = await tmux('capture-pane', '-p');
        if (!shown.includes(ENDED)) throw new Error(`it has not ended:\n${shown.trim()}`);
        return shown;
      },
      { timeout: 60_000, interval: 100 },
    );
    const joined = new Set(
      (await tmux('capture-pane', '-p', '-J')).split('\n').map((line) => line.trimEnd()),
    );
    const all = text.split('\n').map((line) => line.trimEnd());
    const end = all.findIndex((line) => line.startsWith(ENDED));
    const lines = all.slice(0, end);
    return {
      lines,
      overlong: [...joined].filter((line) => line.length > columns),
      styled: await tmux('capture-pane', '-p', '-e'),
      exitCode: Number(all[end]?.slice(ENDED.length)),
    };
  } finally {
    await tmux('kill-server');
  }
}
