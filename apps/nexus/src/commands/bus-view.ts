import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError } from '@nexus/client';
import { redactText } from '@nexus/untrusted/secrets';
import { visibleLine } from '@nexus/untrusted/shown';
import { type Client, connectToNexus } from '../client/connect-to-nexus.ts';
import type { ToolAnswer } from '../client/read-tool.ts';
import { locate } from '../server/locate.ts';
import { useState } from '../state/state-users.ts';
import { liveView } from '../terminal/live-view.ts';
import { print, printJson } from '../terminal/output.ts';
import { isLive } from '../terminal/window-size.ts';
import { type Options, text } from './command.ts';

/** What waits for a capability that nobody has: it is queued, and nobody will take it. */
export function unmetLines({ total, items }: ToolAnswer<'bus_status'>['unmet']): string[] {
  const lines = items.map(({ needs, tasks }) =>
    visibleLine(
      `No worker can do ${needs.join(' + ')}: ${tasks} queued ${tasks === 1 ? 'waits' : 'wait'} for one.`,
    ),
  );
  return total > items.length ? [...lines, `and ${total - items.length} more such needs`] : lines;
}

const REFRESH_MS = 1000;
const ENDINGS = ['SIGINT', 'SIGTERM'] as const;

/** What a command shows of the task bus. */
export interface BusView<Answer> {
  read(client: Client): Promise<Answer>;
  lines(answer: Answer): readonly string[];
}

/** JSON with `--json`; on a terminal a view that is kept up to date until Ctrl-C; else the lines, once. */
export async function showBus<Answer>(view: BusView<Answer>, options: Options): Promise<number> {
  const config = text(options, 'config');
  if (isLive(process.stdout) && !options.json)
    return watch(config, (signal, draw) => drawFrom(view, config, signal, draw));
  await using connection = await connectToNexus({ config });
  const answer = await view.read(connection);
  return options.json ? printJson(answer) : print(view.lines(answer));
}

/** What is read anew each second is kept up to date on a terminal until Ctrl-C; elsewhere it is shown once. */
export async function showWatched<Answer>(
  {
    read,
    lines,
  }: {
    read(): Promise<Answer>;
    lines(answer: Answer): readonly string[];
  },
  options: Options,
): Promise<number> {
  if (!isLive(process.stdout)) return print(lines(await read()));
  return watch(text(options, 'config'), async (signal, draw) => {
    for (;;) {
      draw(lines(await read()));
      await sleep(REFRESH_MS, undefined, { signal });
    }
  });
}

type Draw = (lines: readonly string[]) => void;

/** Until it is ended, or the state that it shows is taken away: without a server it would open that itself, and make it anew. */
async function watch(
  config: string | undefined,
  drawAll: (signal: AbortSignal, draw: Draw) => Promise<void>,
): Promise<number> {
  const { dataDir, projectRoot } = locate(config);
  const ending = new AbortController();
  const { signal } = ending;
  const end = () => ending.abort();
  for (const name of ENDINGS) process.once(name, end);
  const use = await useState(dataDir, projectRoot);
  void use.taken.then(end);
  using screen = liveView(process.stdout);
  try {
    await drawAll(signal, (lines) =>
      screen.draw(lines.map(redactText), `${new Date().toLocaleTimeString()}, Ctrl-C ends`),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const name of ENDINGS) process.off(name, end);
    use.leave();
  }
  return 0;
}

async function drawFrom<Answer>(
  view: BusView<Answer>,
  config: string | undefined,
  signal: AbortSignal,
  draw: Draw,
): Promise<void> {
  while (!signal.aborted) {
    await using connection = await connectToNexus({ config, signal });
    try {
      for (;;) {
        draw(view.lines(await view.read(connection)));
        await sleep(REFRESH_MS, undefined, { signal });
      }
    } catch (error) {
      // The server has ended; the next one, or a private one, goes on.
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}
