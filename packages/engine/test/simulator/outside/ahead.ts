import { ask, LOST, type Outside, PATIENCE_MS, somebody } from './asking.ts';
import { asksOf, type Program } from './program.ts';

/** Somebody who knows what a run will ask, and answers before it does: now and then with what is no answer to it. */
export function answerAhead(
  outside: Outside,
  { runId, program }: { readonly runId: string; readonly program: Program },
): void {
  for (const { name } of asksOf(program)) {
    if (outside.chance.is(0.7)) void say(outside, { runId, name });
  }
}

async function say(outside: Outside, question: { runId: string; name: string }): Promise<void> {
  const { world, chance } = outside;
  const { runId, name } = question;
  const content = chance.is(0.7) ? { value: name } : {};
  await world.wait(chance.pick([chance.between(0.1, 5), chance.between(5, 1_000)]), undefined, 'person');
  for (;;) {
    const process = await somebody(outside);
    const answer = { action: 'accept' as const, content };
    const give = () => process.engine.runs.answer(runId, answer, { question: name });
    // What is refused was asked by then, or answered, or the run is over.
    if ((await ask(outside, process, give, PATIENCE_MS)) !== LOST) return;
    await world.wait(300, undefined, 'answers again');
  }
}
