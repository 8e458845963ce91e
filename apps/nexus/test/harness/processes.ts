import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly command: string;
}

/** What runs of the process group that `leader` leads or led. */
export async function processGroup(leader: number): Promise<Process[]> {
  return (await allProcesses()).filter(({ group }) => group === leader);
}

/** The children of `parent` whose command line holds `word`. */
export async function childrenOf(parent: number, word: string): Promise<Process[]> {
  return (await allProcesses()).filter((each) => each.parent === parent && each.command.includes(word));
}

async function allProcesses(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    // A zombie has ended; only its parent has not looked yet.
    if (!command || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }];
  });
}
