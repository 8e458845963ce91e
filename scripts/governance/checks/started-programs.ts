import { place, sourceFiles, withoutComments } from '../../workspace/source-files.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'started-programs';
const HERE = 'scripts/governance/checks/started-programs.ts';
const GIT = 'packages/git/src/git.ts';

/** Every file that starts a program or a thread, and which. */
const STARTERS: Readonly<Record<string, string>> = {
  'apps/nexus/src/plugins/syntax-place.ts': 'Node.js, to say where a plugin does not parse',
  'packages/client/src/auth/open-browser.ts': 'the user’s browser',
  'packages/processes/src/end-group.ts': 'taskkill',
  'packages/processes/src/starting/started.ts': 'all other programs',
  'packages/processes/src/starting/starter.ts': 'the process that starts them for a large one',
  'packages/processes/src/watchdog.ts': 'the shell that outlives Nexus',
  'packages/untrusted/src/workers/thread.ts': 'worker threads',
};

const STARTS =
  /(?<![.\w])(?:spawn|spawnSync|execa\w*|exec|execSync|execFile|execFileSync|fork)\(|\bnew Worker\(/g;
const CAN_START =
  /(?:from|import)\s*\(?\s*['"](?:(?:node:)?child_process|(?:node:)?cluster|execa|cross-spawn|tinyexec|nano-spawn)['"]|import \{[^}]*(?<!type )\bWorker\b[^}]*\} from ['"](?:node:)?worker_threads['"]/g;
const STARTS_GIT = /\(\s*['"`]git['"`]|command:\s*\[?\s*['"`]git['"`]/g;

/** A type alone starts nothing. */
const TYPES_ONLY = /import type [^;]*;/g;

export const startedPrograms: Check = {
  name: NAME,
  proves: 'programs and threads are started in few places, each with variables from a list, and git in one',
  run({ workspace }) {
    const files = sourceFiles(workspace);
    if (files.length === 0) return lookedAtNothing(NAME, 'sources');
    const starters = files.filter((file) => startsSomething(workspace.read(file)));
    const stale = Object.keys(STARTERS)
      .filter((file) => !starters.includes(file))
      .map((file) => finding(HERE, `lists ${file}, which starts nothing`, 'remove it'));
    return [...files.flatMap((file) => findingsIn(file, workspace.read(file))), ...stale];
  },
};

function startsSomething(text: string): boolean {
  const code = withoutComments(text).replace(TYPES_ONLY, '');
  return new RegExp(CAN_START, '').test(code);
}

function findingsIn(file: string, text: string): Finding[] {
  const code = withoutComments(text);
  const gitElsewhere = [...code.matchAll(STARTS_GIT)]
    .filter(() => file !== GIT)
    .map(({ index }) => finding(place(file, text, index), 'starts git', `have ${GIT} run it`));
  if (!startsSomething(text)) return gitElsewhere;
  const isListed = Object.hasOwn(STARTERS, file);
  const unlisted = isListed
    ? []
    : [
        finding(
          file,
          'starts programs or threads',
          'use host.programs or host.workers, or give a reason in STARTERS',
        ),
      ];
  const open = [...code.matchAll(STARTS)]
    .filter(({ index }) => !isBounded(callAt(code, index)))
    .map(({ index, 0: call }) =>
      finding(
        place(file, text, index),
        `${call}…) states no variables, or all of this process`,
        'pass env: programEnvironment([…])',
      ),
    );
  return [...unlisted, ...gitElsewhere, ...open];
}

function isBounded(call: string): boolean {
  return /\benv\b\s*[:,]/.test(call) && !/\benv:\s*(?:\{\s*\.\.\.)?process\.env\b/.test(call);
}

function callAt(code: string, from: number): string {
  let depth = 0;
  for (let at = code.indexOf('(', from); at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    if (code[at] === ')') depth -= 1;
    if (depth === 0) return code.slice(from, at + 1);
  }
  return code.slice(from);
}

function finding(where: string, what: string, fix: string): Finding {
  return { check: NAME, where, what, fix };
}
