import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export type CliName = 'claude' | 'codex' | 'gemini' | 'opencode';

/** What a fake command line does. */
export interface CliPlan {
  /** Default: it answers `text` in the real one's format. `hang`: it never ends, nor does a child of it. */
  readonly does?: 'rubbish' | 'hang';
  readonly text?: string;
  /** Names of the MCP servers that its user has configured. */
  readonly servers?: readonly string[];
  /** It says that this went wrong, in the real one's format. */
  readonly error?: string;
  readonly usage?: { readonly input: number; readonly output: number };
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** One run of a fake command line, as it saw it. */
export interface CliCall {
  readonly program: CliName;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string;
  /** Its own, and that of the child it left. */
  readonly pids: readonly number[];
}

export interface FakeClis extends Disposable {
  /** A PATH with these, node and the system's own programs, and no model's real one. */
  readonly path: string;
  readonly calls: readonly CliCall[];
  /** The file that a command would run. */
  find(command: string): string | undefined;
}

const PROGRAM = new URL('../programs/fake-cli.mjs', import.meta.url);

/** Command lines of models in a folder of their own. Not on Windows, which starts no scripts. */
export function fakeClis(plans: Readonly<Partial<Record<CliName, CliPlan>>>): FakeClis {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-clis-')));
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plans));
  // Beside a script without an ending, this says that it is a module.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of Object.keys(plans)) {
    const file = join(folder, name);
    writeFileSync(file, `#!${process.execPath}\n${readFileSync(PROGRAM, 'utf8')}`);
    chmodSync(file, 0o755);
  }
  return {
    path: [folder, '/usr/bin', '/bin'].join(delimiter),
    find: (command) => (Object.hasOwn(plans, command) ? join(folder, command) : undefined),
    get calls() {
      const file = join(folder, 'calls.jsonl');
      if (!existsSync(file)) return [];
      return readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as CliCall);
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
