import { expect } from 'vitest';
import { shareProject } from '../harness/shared-project.ts';
import { openTerminal } from '../harness/terminal.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const COLUMNS = 80;
/** As many characters of an id as a terminal shows. */
const shownId = (id: string) => id.slice(0, 'task_'.length + 8);
const LONG =
  'a title of many words that goes on and on, well beyond what a window of eighty columns has room for';
const SKILLS = Array.from({ length: 12 }, (_, at) => `capability-number-${at}`);

/** The first frame that holds the text, as it stands on a terminal of 80 columns: line by line, without colours. */
async function frameOf(
  project: Parameters<typeof openTerminal>[0],
  args: readonly string[],
  text: string | RegExp,
): Promise<string[]> {
  const terminal = openTerminal(project, args, COLUMNS);
  await terminal.shows(text);
  await terminal.shows('Ctrl-C ends');
  const shown = terminal.shown();
  await terminal.interrupt();
  const [frame = ''] = shown.split('Ctrl-C ends');
  return frame.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').split(/\r?\n/);
}

slowlyVerifiesApp(
  'command.bus',
  'shows in 80 columns what needs somebody first: dead, then leased tasks',
  async () => {
    await using project = await shareProject();
    const { session } = await project.host();
    const submit = async (more: object) => {
      const { result } = await session.call('submit_task', { title: LONG, payload: null, ...more });
      return result.structuredContent.taskId as string;
    };
    const dead = await submit({ maxAttempts: 1 });
    const { task } = (await session.call('poll_task', { worker: 'a-worker-with-a-long-name' })).result
      .structuredContent;
    await session.call('fail_task', { leaseId: task.leaseId, reason: 'no' });
    const leased = await submit({});
    await session.call('poll_task', { worker: 'a-worker-with-a-long-name' });
    for (let each = 0; each < 60; each += 1) await submit({ capabilities: ['rust'] });

    const lines = await frameOf(project, ['tasks'], ' leased ');
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    expect(lines[0]).toBe('1 dead, 1 leased, 60 queued');
    const rows = lines.filter((line) => line.startsWith('task_'));
    expect(rows.slice(0, 2).map((row) => row.split(/ +/).slice(0, 4))).toEqual([
      [shownId(dead), 'dead', '2', '1/1'],
      [shownId(leased), 'leased', '2', '1/3'],
    ]);
    expect(rows[1]).toContain('a title of');
  },
);

slowlyVerifiesApp(
  'command.bus',
  'shows in 80 columns who has something to read first, then who is at work',
  async () => {
    await using project = await shareProject();
    const { session } = await project.host();
    for (const name of ['reader', 'holder']) {
      await session.call('register_worker', { name, capabilities: SKILLS });
    }
    await session.call('submit_task', { title: LONG, payload: null });
    await session.call('poll_task', { worker: 'holder' });
    for (let each = 0; each < 60; each += 1) {
      await session.call('register_worker', { name: `idle-worker-${each}`, capabilities: SKILLS });
    }
    await session.call('send_message', { from: 'holder', to: 'reader', body: 'stop' });

    const lines = await frameOf(project, ['workers'], /reader/);
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    const from = lines.findIndex((line) => line.startsWith('WORKER'));
    expect(lines[from]).toMatch(/^WORKER +UNREAD +TASKS +SEEN/);
    expect(lines[from + 1]).toMatch(/^reader +1 +- +\d+ m?s ago/);
    expect(lines[from + 2]).toMatch(/^holder +0 +task_[0-9a-f]+ +\d+ m?s ago/);
    expect(lines.some((line) => line.startsWith('idle-worker'))).toBe(true);
  },
);
