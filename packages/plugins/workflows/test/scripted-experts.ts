import { defineRun, type ExpertTurnInput, expertTurn } from '@nexus/plugin-sdk';

/** Experts in the place of the plugin that has them: each answers by what it is given. */
export function scriptedExperts(answer: (input: ExpertTurnInput, count: number) => string | Error) {
  const turns: ExpertTurnInput[] = [];
  const kind = defineRun({
    ...expertTurn,
    run: (input: ExpertTurnInput, run) =>
      run.step('turn', () => {
        turns.push(input);
        const output = answer(input, turns.length);
        if (output instanceof Error) throw output;
        const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
        return { output, toolCalls: [], usage, model: 'scripted:model', durationMs: 1 };
      }),
  });
  return Object.assign(kind, { turns });
}
